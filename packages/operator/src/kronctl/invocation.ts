import { Invocation, type OutputOptions } from '@kron/command'
import type { Notation } from '@kron/preview'
import type { KronctlHost } from './host.js'

/** One run of a command of `kronctl`. */
export class KronctlInvocation extends Invocation<KronctlHost> {
  readonly notation: Notation

  constructor(host: KronctlHost, options: OutputOptions, program: ProgramName) {
    super(host, options, program)
    this.notation = manifestNotation(program)
  }
}

/** As a plugin of kubectl, the program is called by another name. */
export type ProgramName = 'kronctl' | 'kubectl kron'

/** Schedules as manifests have them. */
export function manifestNotation(program: ProgramName): Notation {
  return {
    program,
    check: `${program} validate`,
    parts: {
      window: 'spec.window',
      distribution: 'spec.distribution',
      seed: 'spec.seed',
      only: 'spec.constraints.only',
      avoid: 'spec.constraints.avoid',
    },
    utc: 'spec.timezone: UTC',
    window: (duration) => `spec.window: {duration: ${duration}}`,
    only: (clause) => `spec.constraints.only: ["${clause}"]`,
    exact: 'sample: exact',
    exactIn: (distribution) =>
      `spec.distribution: {name: ${distribution}, params: {sample: exact}}`,
    resumed: `${program} resume`,
    fewerJobs: 'fewer KronJobs',
  }
}
