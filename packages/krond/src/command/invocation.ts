import { Invocation as OutputInvocation, type OutputOptions } from '@kron/command'
import type { Host } from './host.js'

/** Options that every command has, as the command line gives them. */
export interface CommonOptions extends OutputOptions {
  readonly file?: readonly string[]
}

/** One run of a command of `krontab` or `krond`. */
export class Invocation extends OutputInvocation<Host> {
  readonly fileArguments: readonly string[]

  constructor(host: Host, options: CommonOptions, program: 'krontab' | 'krond' = 'krontab') {
    super(host, options, program)
    this.fileArguments = options.file ?? []
  }
}
