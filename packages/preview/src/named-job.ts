import type { Job } from '@kron/core'

/** A job that a command is about. */
export interface NamedJob {
  /** null for a schedule that was given as text. */
  readonly name: string | null
  readonly job: Job
  /** The canonical text of its schedule. */
  readonly schedule: string
  /** Since when its host answers for it with its present timing, where that is known. */
  readonly responsibleSince?: number | null
}
