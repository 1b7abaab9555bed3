import type { Command } from 'commander'
import { pageName, subcommandsOf } from './command-outline.js'
import { completionScript, shells } from './completion-script.js'
import { type ManPageOptions, manPage } from './man-page.js'

export interface ManualProgram extends Omit<ManPageOptions, 'seeAlso'> {
  readonly command: Command
}

/** Pages of all programs and their commands, and completion scripts, by their path in the package. */
export function manualFiles(programs: readonly ManualProgram[]): Map<string, string> {
  return new Map(programs.flatMap((program) => [...pages(program, programs), ...scripts(program)]))
}

type File = [path: string, text: string]

function pages(program: ManualProgram, programs: readonly ManualProgram[]): File[] {
  const { command, ...options } = program
  const others = programs.filter((other) => other !== program)
  const seeAlso = others.map((other) => `${other.command.name()}(${other.section})`)
  return withSubcommands(command).map(
    (each): File => [
      `man/${pageName(each)}.${options.section}`,
      manPage(each, { ...options, seeAlso }),
    ],
  )
}

function withSubcommands(command: Command): Command[] {
  return [command, ...subcommandsOf(command).flatMap(withSubcommands)]
}

function scripts({ command }: ManualProgram): File[] {
  return shells.map(
    (shell): File => [`completions/${command.name()}.${shell}`, completionScript(command, shell)],
  )
}
