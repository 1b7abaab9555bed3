import type { JobSpec } from '../definition/index.js'
import { hexOf } from './seed-hash.js'
import { hashText } from './text-hash.js'

const hash = new Int32Array(8)

/** Sixteen hex digits that change with the timing of a job: not with its policy or identity. */
export function timingOf(spec: JobSpec): string {
  const { schedule, dialect, timezone, window, distribution, seed, constraints } = spec
  const timing = [schedule, dialect, timezone, window, distribution, seed, constraints]
  hashText(`${JSON.stringify(timing)}\n\ntiming`, hash)
  return hexOf(hash).slice(0, 16)
}
