import type { Job } from '@kron/core'
import { type FieldText, fieldTexts } from '../cron-text/index.js'
import type { KrontabJob, Place, ScheduleSpans, Span } from '../krontab/index.js'
import { scheduleSpans } from '../krontab/index.js'
import type { Finding } from './finding.js'
import type { WarningCode } from './warning-codes.js'

/** What a rule looks at: a compiled schedule and the text it was written as. */
export class Subject {
  readonly job: Job
  /** Of a job in a krontab. */
  readonly entry: KrontabJob | undefined
  readonly spans: ScheduleSpans
  /** null for a macro. */
  readonly fields: readonly FieldText[] | null
  readonly #place: Place

  constructor(job: Job, place: Place, entry?: KrontabJob) {
    this.job = job
    this.entry = entry
    this.#place = place
    const start = place.column - 1
    this.spans = scheduleSpans(place.source.slice(start, start + place.length))
    this.fields = fieldTexts(job.spec.schedule)
  }

  /** A warning about a part of the schedule. */
  warning(span: Span, code: WarningCode, message: string, fix: string): Finding {
    const column = this.#place.column + span.start
    const place = { ...this.#place, column, length: span.end - span.start }
    return { ...place, severity: 'warning', code, message, fix }
  }

  /** The stretch of a modifier, or of the cron expression when it is not there. */
  modifierSpan(...names: readonly string[]): Span {
    const found = names.find((name) => this.spans.modifiers.has(name))
    return found === undefined ? this.spans.cron : this.spans.modifiers.get(found)!
  }
}

/** Looks for one kind of doubtful thing; `now` is where "the next such day" starts. */
export type Rule = (subject: Subject, now: number) => readonly Finding[]
