import type { Job } from '@kron/core'
import type { RunSettings } from '../process/index.js'

/** A job of this host, wherever it was written down: when it runs and how. */
export interface HostJob {
  /** `<absolute path of the file>:<name>`. */
  readonly identity: string
  readonly name: string
  readonly job: Job
  readonly settings: RunSettings
}
