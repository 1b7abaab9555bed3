import type { Job } from '@kron/core'
import type { FieldText } from '../cron-text/index.js'
import type { Notation, SchedulePart } from '../notation.js'
import type { Finding, Place } from './finding.js'

/** What a rule looks at: a compiled schedule and where it is written. */
export interface Subject {
  readonly job: Job
  /** null for a macro. */
  readonly fields: readonly FieldText[] | null
  readonly notation: Notation
  /** Where the cron expression stands, or its fields from one to another. */
  cronPlace(first?: number, last?: number): Place
  /** null for a part that is not written. */
  partPlace(part: SchedulePart): Place | null
}

/** The place of the first of the parts that is written, or of the cron expression. */
export function placeOf(subject: Subject, ...parts: readonly SchedulePart[]): Place {
  for (const part of parts) {
    const place = subject.partPlace(part)
    if (place !== null) return place
  }
  return subject.cronPlace()
}

/** Looks for one kind of doubtful thing; `now` is where "the next such day" starts. */
export type Rule = (subject: Subject, now: number) => readonly Finding[]
