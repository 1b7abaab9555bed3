import type { Job } from '@kron/core'
import {
  type FieldText,
  type Finding,
  fieldTexts,
  type Notation,
  type Place,
  type SchedulePart,
  type Subject,
} from '@kron/preview'
import { krontabNotation } from '../command/invocation.js'
import { type KrontabJob, type ScheduleSpans, type Span, scheduleSpans } from '../krontab/index.js'

const modifierOf: Readonly<Record<SchedulePart, string>> = {
  window: 'win',
  distribution: 'dist',
  seed: 'seed',
  only: 'only',
  avoid: 'avoid',
}

/** A schedule in the text it was written as. */
export class ScheduleSubject implements Subject {
  readonly job: Job
  /** Of a job in a krontab. */
  readonly entry: KrontabJob | undefined
  readonly fields: readonly FieldText[] | null
  readonly notation: Notation = krontabNotation
  readonly #spans: ScheduleSpans
  readonly #place: Place

  constructor(job: Job, place: Place, entry?: KrontabJob) {
    this.job = job
    this.entry = entry
    this.#place = place
    const start = place.column - 1
    this.#spans = scheduleSpans(place.source.slice(start, start + place.length))
    this.fields = fieldTexts(job.spec.schedule)
  }

  cronPlace(first?: number, last = first): Place {
    const { cron, cronFields } = this.#spans
    const start = first === undefined ? cron : cronFields[first]!
    const end = last === undefined ? cron : cronFields[last]!
    return this.#placeOf({ start: start.start, end: end.end })
  }

  partPlace(part: SchedulePart): Place | null {
    const span = this.#spans.modifiers.get(modifierOf[part])
    return span === undefined ? null : this.#placeOf(span)
  }

  /** Where the policy stands, or the whole schedule if it has none. */
  policyPlace(): Place {
    return this.#placeOf(this.#spans.modifiers.get('policy') ?? this.#spans.cron)
  }

  #placeOf({ start, end }: Span): Place {
    return { ...this.#place, column: this.#place.column + start, length: end - start }
  }
}

/** Looks for one kind of doubtful thing that only krontabs have. */
export type KrontabRule = (subject: ScheduleSubject) => readonly Finding[]
