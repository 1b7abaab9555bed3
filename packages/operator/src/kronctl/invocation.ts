import { Invocation, type OutputOptions } from '@kron/command'
import type { Notation } from '@kron/preview'
import type { KronctlHost } from './host.js'
import { manifestNotation } from './notation.js'
import type { ProgramName } from './program-name.js'

/** One run of a command of `kronctl`. */
export class KronctlInvocation extends Invocation<KronctlHost> {
  readonly notation: Notation

  constructor(host: KronctlHost, options: OutputOptions, program: ProgramName) {
    super(host, options, program)
    this.notation = manifestNotation(program)
  }
}
