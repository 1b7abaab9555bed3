import type { FieldPath } from '../../kronjob/manifest/problem.js'

/** What is different from the CronJob, or was added, told at the field that it is about. */
export interface Note {
  readonly path: FieldPath
  readonly message: string
}
