import type { Command } from 'commander'
import type { CommandHost } from './command-host.js'

/** Nothing of commander may write to the process or end it. */
export function withHost(command: Command, host: CommandHost): Command {
  return command.exitOverride().configureOutput({
    writeOut: (text) => host.stdout.write(text),
    writeErr: () => undefined,
    outputError: () => undefined,
    getOutHelpWidth: () => host.stdout.columns,
    getErrHelpWidth: () => host.stderr.columns,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  })
}

/** For options that may be given several times. */
export const appended = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
]
