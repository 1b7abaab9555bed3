import type { Command } from 'commander'
import type { CommandHost } from './command-host.js'
import { isCommanderError } from './commander-error.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import { reportFailure } from './failure.js'

/**
 * Has the program do what the arguments say. Answers an exit code when that is all, and undefined
 * when a command was called, which has its own.
 */
export function parseArguments(
  program: Command,
  args: readonly string[],
  host: Pick<CommandHost, 'stderr'>,
): ExitCode | undefined {
  if (args.length === 0) {
    program.outputHelp()
    return exitCodes.input
  }
  try {
    program.parse([...args], { from: 'user' })
    return undefined
  } catch (error) {
    if (isCommanderError(error) && error.exitCode === 0) return exitCodes.success
    return reportCalled(error, program, args, host)
  }
}

/** What went wrong in the command that was called. */
export function reportCalled(
  error: unknown,
  program: Command,
  args: readonly string[],
  host: Pick<CommandHost, 'stderr'>,
): ExitCode {
  const known = program.commands.find((command) => command.name() === args[0])
  return reportFailure(error, host, program.name(), known?.name())
}
