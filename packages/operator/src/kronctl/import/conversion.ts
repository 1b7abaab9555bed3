import type { FieldPath } from '../../kronjob/manifest/problem.js'
import type { JsonRecord } from '../../kronjob/schema/json-schema.js'

/** A KronJob that was converted from a CronJob. */
export interface Conversion {
  readonly kronJob: JsonRecord
  readonly notes: readonly Note[]
}

/** Why something can't be converted, and what to do about it. */
export class Refusal {
  readonly reason: string
  readonly hint: string | null

  constructor(reason: string, hint: string | null = null) {
    this.reason = reason
    this.hint = hint
  }
}

/** A difference from the CronJob, or an addition, at the field that it is about. */
export interface Note {
  readonly path: FieldPath
  readonly message: string
}
