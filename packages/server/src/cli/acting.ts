import type { Done, ExitCode } from '@kron/command'
import type { Command } from 'commander'
import type { Host } from '../process/host.js'
import { type CommonOptions, Invocation } from './invocation.js'

/** What is given to those that add commands. */
export interface CommandPorts {
  readonly host: Host
  readonly done: Done
}

type Act<Options> = (
  invocation: Invocation,
  options: Options,
  ...operands: string[]
) => Promise<ExitCode>

/** Has a command do its work with a client of the server, which is closed however it ends. */
export function acting<Options>(
  command: Command,
  { host, done }: CommandPorts,
  act: Act<Options>,
): Command {
  const work = async (operands: string[]): Promise<ExitCode> => {
    const options = command.optsWithGlobals<CommonOptions & Options>()
    const invocation = new Invocation(host, options)
    await invocation.connect(options)
    try {
      return await act(invocation, options, ...operands)
    } finally {
      await invocation.client.close()
    }
  }
  return command.action((...given: unknown[]) => done(work(given.slice(0, -2) as string[])))
}
