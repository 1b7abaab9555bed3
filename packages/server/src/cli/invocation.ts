import {
  type Done,
  type ExitCode,
  type OutputOptions,
  Invocation as ProgramInvocation,
} from '@kron/command'
import type { Command } from 'commander'
import { versions } from '../domain/version.js'
import type { Host } from '../process/host.js'
import { keyOf, serverOf } from '../process/key-source.js'
import type { ApiClient } from './client/index.js'

/** Options that every command has, as the command line gives them. */
export interface CommonOptions extends OutputOptions {
  readonly server?: string
  readonly key?: string
}

/** One run of a command of `kron`. */
export class Output extends ProgramInvocation<Host> {
  constructor(host: Host, options: OutputOptions) {
    super(host, options, 'kron')
  }
}

/** One run of a command that asks the server. */
export class Invocation extends Output {
  #client: ApiClient | null = null

  /** The server; there is one once `connect` has answered. */
  get client(): ApiClient {
    if (this.#client === null) throw new Error('the client is used before it is there')
    return this.#client
  }

  /** What speaks HTTP takes longer to load than `--help` may take. */
  async connect({ server, key }: CommonOptions): Promise<void> {
    const { host } = this
    const options = {
      server: serverOf(server, host),
      key: keyOf(key, host),
      userAgent: `kron/${versions.version}`,
      signal: host.interrupted,
    }
    const { ApiClient } = await import('./client/api-client.js')
    this.#client = new ApiClient(options)
  }
}

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
