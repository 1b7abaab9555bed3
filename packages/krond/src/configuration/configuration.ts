import type { KronError } from '@kron/core'
import type { HostJob } from '../daemon/index.js'

/** The jobs of this host, as all files together give them. */
export interface Configuration {
  readonly jobs: readonly HostJob[]
  /** What is wrong with files and jobs that are left out. */
  readonly problems: readonly KronError[]
  /** What readers of cron's own files should know, such as lines that krond does not run. */
  readonly notices?: readonly string[]
}
