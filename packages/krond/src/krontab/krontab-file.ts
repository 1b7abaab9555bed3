import type { Job } from '@kron/core'
import type { Place } from '@kron/preview'
import type { Command } from './command.js'
import type { JobFields } from './job-fields.js'
import type { Problem } from './problem-list.js'

/** One line of a krontab, checked. */
export interface KrontabJob extends JobFields {
  /** `<absolute path of the file>:<name>`. */
  readonly identity: string
  readonly command: Command
  readonly job: Job
  /** Where the schedule stands. */
  readonly schedulePlace: Place
  readonly commandPlace: Place
}

/** A line that names a job but has problems. */
export interface BrokenJob {
  readonly name: string
  readonly line: number
}

export interface KrontabFile {
  /** Absolute. */
  readonly path: string
  readonly jobs: readonly KrontabJob[]
  readonly problems: readonly Problem[]
  readonly broken: readonly BrokenJob[]
}
