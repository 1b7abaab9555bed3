import type { Notation } from '@kron/preview'
import type { ProgramName } from './program-name.js'

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
