import {
  type Decision,
  evaluate,
  formatDuration,
  formatInstant,
  type Job,
  type Sample,
  takenOverAt,
  tzdataVersion,
} from '@kron/core'
import { fieldTexts, fieldWords, scheduleWords } from '../cron-text/index.js'
import { formatLocalRfc } from '../local-time/index.js'
import type { NamedJob } from '../named-job.js'

/** An instant in both ways people look at it. */
export interface Moment {
  readonly utc: string
  readonly local: string
}

export interface ExplainedSample {
  readonly attempt: number
  readonly u: number
  readonly x: number | null
  readonly offsetSeconds: number | null
  readonly candidate: Moment | null
  readonly rejectedBy: string | null
}

/** Every step from a schedule to the chosen time of one period; this is the JSON of `explain`. */
export interface Explanation {
  readonly job: string | null
  readonly identity: string
  readonly schedule: string
  readonly words: string
  readonly fields: readonly {
    readonly field: string
    readonly text: string
    readonly words: string
  }[]
  readonly timezone: string
  readonly tzdata: string
  readonly at: string
  readonly period: string
  readonly nominal: Moment
  readonly window: {
    readonly mode: string
    readonly duration: string
    readonly start: Moment
    readonly end: Moment
    readonly seconds: number
  }
  readonly seed: {
    readonly strategy: string
    readonly periodKey: string
    readonly salt: string
    readonly input: string
    readonly sha256: string
    /** The first eight bytes of the hash, which start the generator. */
    readonly state: string
  }
  readonly distribution: Decision['distribution']
  readonly constraints: Decision['constraintsApplied'] & {
    readonly acceptedShare: number
    readonly unschedulableProbability: number
  }
  readonly samples: readonly ExplainedSample[]
  readonly attempts: number
  readonly chosen: Moment | null
  readonly delaySeconds: number | null
  readonly unschedulable: boolean
  readonly reason: string | null
  /** When the next period takes over, if a clock change makes that before the chosen time. */
  readonly superseded: Moment | null
  /** Since when the host answers for the job with its present timing; null when it is not known. */
  readonly responsibleSince: Moment | null
  /** Whether the period is the host's business: it was not due before that. */
  readonly answeredFor: boolean
  readonly policy: {
    readonly concurrency: string
    readonly deadline: string
    readonly suspend: boolean
    readonly first: string
  }
}

export function explanationOf(
  { job, schedule, name, responsibleSince = null }: NamedJob,
  nominal: number,
  at: number,
): Explanation {
  const { decision, samples } = job.explain(nominal)
  const { spec, zone } = job
  const moment = (instant: number): Moment => ({
    utc: formatInstant(instant),
    local: formatLocalRfc(instant, zone),
  })
  const { chosenTime, windowStart, windowEnd, seedHash, periodKey } = decision
  const overtakenAt = takenOverAt(job, nominal, chosenTime)
  return {
    job: name,
    identity: job.identity,
    schedule,
    words: scheduleWords(spec.schedule),
    fields: fieldsOf(spec.schedule),
    timezone: spec.timezone,
    tzdata: tzdataVersion,
    at: formatInstant(at),
    period: decision.periodId,
    nominal: moment(nominal),
    window: {
      mode: spec.window.mode,
      duration: formatDuration(spec.window.duration),
      start: moment(windowStart),
      end: moment(windowEnd),
      seconds: (windowEnd - windowStart) / 1000,
    },
    seed: {
      ...spec.seed,
      periodKey,
      input: `${job.identity}\n${periodKey}\n${spec.seed.salt}`,
      sha256: seedHash,
      state: seedHash.slice(0, 16),
    },
    distribution: decision.distribution,
    constraints: {
      ...decision.constraintsApplied,
      acceptedShare: job.acceptance(nominal),
      unschedulableProbability: job.unschedulableProbability(nominal),
    },
    samples: samples.map((sample, index) => explainedSample(sample, index, moment)),
    attempts: decision.attempts,
    chosen: chosenTime === null ? null : moment(chosenTime),
    delaySeconds: chosenTime === null ? null : (chosenTime - nominal) / 1000,
    unschedulable: decision.unschedulable,
    reason: decision.reason ?? null,
    superseded: overtakenAt === null ? null : moment(overtakenAt),
    responsibleSince: responsibleSince === null ? null : moment(responsibleSince),
    answeredFor: isAnsweredFor(job, decision, responsibleSince),
    policy: { ...spec.policy, deadline: formatDuration(spec.policy.deadline) },
  }
}

function isAnsweredFor(job: Job, decision: Decision, responsibleSince: number | null): boolean {
  const policy = { ...job.policy, suspend: false }
  const now = decision.windowStart
  const asked = { decision, policy, now, handledThrough: null, active: false, responsibleSince }
  return evaluate(asked).kind !== 'notResponsible'
}

function fieldsOf(expression: string): Explanation['fields'] {
  const fields = fieldTexts(expression) ?? []
  return fields.map((text) => ({
    field: text.field.name,
    text: text.text,
    words: fieldWords(text),
  }))
}

function explainedSample(
  { u, x, offset, candidate, rejectedBy }: Sample,
  index: number,
  moment: (instant: number) => Moment,
): ExplainedSample {
  return {
    attempt: index + 1,
    u,
    x,
    offsetSeconds: offset,
    candidate: candidate === null ? null : moment(candidate),
    rejectedBy,
  }
}
