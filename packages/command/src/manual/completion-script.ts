import { Argument, type Command } from 'commander'
import { bashCompletion } from './bash-completion.js'
import { type CommandOutline, commandOutline } from './command-outline.js'
import { fishCompletion } from './fish-completion.js'
import { zshCompletion } from './zsh-completion.js'

export const shells = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof shells)[number]

const scriptFor: Readonly<Record<Shell, (program: CommandOutline) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

/** Completes subcommands, options, values that are known, and paths; nothing else. */
export function completionScript(program: Command, shell: Shell): string {
  return scriptFor[shell](commandOutline(program))
}

/** Adds `completion <shell>`, which prints through the output of the program. */
export function addCompletion(program: Command): Command {
  const name = program.name()
  return program
    .command('completion')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  ${name} completion bash > /usr/share/bash-completion/completions/${name}
  ${name} completion zsh > /usr/share/zsh/site-functions/_${name}
  ${name} completion fish > /usr/share/fish/vendor_completions.d/${name}.fish`,
    )
    .action((shell: Shell) => {
      program.configureOutput().writeOut?.(completionScript(program, shell))
    })
}
