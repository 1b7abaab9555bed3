import type { Command } from 'commander'
import type { CommandHost } from './command-host.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import { parseArguments, reportCalled } from './parse-arguments.js'

/** What a command answers, now or later. */
export type Done = (code: ExitCode | Promise<ExitCode>) => void

/** Runs a program with arguments (without its name) and answers its exit code. */
export async function runProgram(
  programFor: (done: Done) => Command,
  args: readonly string[],
  host: Pick<CommandHost, 'stderr'>,
): Promise<ExitCode> {
  let exitCode: ExitCode | Promise<ExitCode> = exitCodes.success
  const program = programFor((code) => {
    exitCode = code
  })
  const parsed = parseArguments(program, args, host)
  if (parsed !== undefined) return parsed
  try {
    return await exitCode
  } catch (error) {
    return reportCalled(error, program, args, host)
  }
}
