import type { Command } from 'commander'
import type { ExitCode } from './exit-code.js'
import type { Host } from './host.js'
import { type CommonOptions, Invocation } from './invocation.js'

/** What a command answers. */
export type Done = (code: ExitCode) => void

/** What is given to those that add commands. */
export interface Surroundings {
  readonly host: Host
  readonly done: Done
}

/** Nothing of commander may write to the process or end it. Commands made of it inherit that. */
export function withHost(command: Command, host: Host): Command {
  return command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHelpWidth: () => host.stdout.columns,
      getErrHelpWidth: () => host.stderr.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
}

type Act<Options> = (
  invocation: Invocation,
  options: Options,
  ...operands: string[]
) => Promise<ExitCode>

/** Has a command do its work with a client of the server, which is closed however it ends. */
export function acting<Options>(
  command: Command,
  { host, done }: Surroundings,
  act: Act<Options>,
): Command {
  return command.action(async (...given: unknown[]) => {
    const operands = given.slice(0, -2) as string[]
    const options = command.optsWithGlobals<CommonOptions & Options>()
    const invocation = new Invocation(host, options)
    try {
      done(await act(invocation, options, ...operands))
    } finally {
      await invocation.client.close()
    }
  })
}

/** For options that may be given several times. */
export const appended = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
]
