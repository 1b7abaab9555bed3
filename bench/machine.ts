import { availableParallelism, cpus } from 'node:os'
import { tzdataVersion } from '@kron/core'

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly node: string
  readonly v8: string
  /** Kron's own database, and the one that the peers get from the runtime. */
  readonly tzdata: { readonly kron: string; readonly runtime: string }
}

export function thisMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? process.arch,
    cores: availableParallelism(),
    node: process.versions.node,
    v8: process.versions.v8,
    tzdata: { kron: tzdataVersion, runtime: process.versions['tz'] ?? 'unknown' },
  }
}
