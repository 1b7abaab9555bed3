import { type Decided, evaluate, type Job, type Verdict } from '@kron/core'
import { instantText, type Plan, type RunSource } from '../domain/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'
import type { EndedRun } from './planning.js'

/** Something that is to run once: a period of the schedule, or an instant that was asked for. */
export interface Period {
  /** The planned time: with the endpoint it is the key of the run. */
  readonly at: number
  readonly periodId: string
  readonly decision: Decided
  /** Whether the schedule decided it. */
  readonly ofSchedule: boolean
  /** From when on a later period is the current one. */
  readonly supersededAt: number | null
}

/** A period of the schedule, as the core decided it; null when it can't be scheduled. */
export function scheduledPeriod(job: Job, nominal: number): Period | null {
  const decision = job.decide(nominal)
  const { chosenTime, periodId } = decision
  if (chosenTime === null) return null
  const supersededAt = job.supersededAt(nominal)
  return { at: chosenTime, periodId, decision, ofSchedule: true, supersededAt }
}

/**
 * The period that a plan of the schedule is for. A process of another version that works on the
 * same database may have planned it for another second: then its plan stands.
 */
export function plannedPeriod(job: Job, at: number, periodId: string | null): Period {
  const nominal = Date.parse(periodId ?? '')
  const period = Number.isNaN(nominal) ? null : scheduledPeriod(job, nominal)
  if (period?.at === at) return period
  const nominalTime = newestPeriod(job, at) ?? at
  const decision = { nominalTime, windowStart: at, chosenTime: at }
  const supersededAt = job.supersededAt(nominalTime)
  return { at, periodId: periodId ?? instantText(at), decision, ofSchedule: true, supersededAt }
}

/**
 * What no schedule decided: a hint, an interval, a limit or a person did, and its time is its only
 * period. Verdicts are made at the second, and so is it.
 */
export function occasion(at: number): Period {
  const second = Math.floor(at / 1000) * 1000
  const decision = { nominalTime: second, windowStart: second, chosenTime: second }
  return { at, periodId: instantText(at), decision, ofSchedule: false, supersededAt: null }
}

/** The newest period that had its time by `instant`, or null. */
export function newestPeriod(job: Job, instant: number): number | null {
  const current = job.currentPeriod(instant)
  // Without a window its time is its nominal time, which has come.
  if (current === null || job.spec.window.duration === 0) return current
  const { chosenTime, windowStart } = job.decide(current)
  if ((chosenTime ?? windowStart) <= instant) return current
  // Windows don't overlap: the one before has passed.
  return job.cron.previous(current - 1, job.zone)
}

/** What the core says to a period at `now`, or at its own time when that is still to come. */
export function verdictOn(
  { at, decision, ofSchedule, supersededAt }: Period,
  { policy, job, timing }: CompiledEndpoint,
  plan: Plan,
  now: number,
  active: boolean,
): Verdict {
  const { handledThrough: handled, responsibility } = plan
  // What is known of another timing says nothing about this one.
  const since = ofSchedule && responsibility?.timing === timing ? responsibility.since : null
  return evaluate({
    decision,
    policy,
    now: Math.max(now, at),
    handledThrough: ofSchedule && handled !== null ? newestPeriod(job!, handled) : null,
    active,
    supersededAt,
    responsibleSince: since,
  })
}

/** Periods that are written down one by one; of more than that the latest is jumped to. */
const maxRows = 100

interface JudgedPeriods {
  /** What came and does not run, each with its row. */
  readonly ended: readonly EndedRun[]
  /** The period that is to run now, if any. */
  readonly start: Period | null
  /** The latest planned time that has its verdict, without the one that is to start. */
  readonly handledThrough: number | null
  /** Ids of periods that had to start before the schedule counted with its present timing. */
  readonly notResponsible: readonly string[]
}

interface Judging {
  readonly source: RunSource
  readonly now: number
  /** Whether a run is, or may be, under way. */
  readonly active: boolean
  /** Each is judged as of its own time, at which a run held the endpoint, and not as of now. */
  readonly asOfTheirTime?: boolean
}

/**
 * Asks the core about a period that has come, and about those of the schedule after it that have
 * come too, until one is to start. Nothing is decided here: what the verdicts are is written down.
 */
export function judgePeriods(
  plan: Plan,
  compiled: CompiledEndpoint,
  first: Period,
  { source, now, active, asOfTheirTime = false }: Judging,
): JudgedPeriods {
  const ended: EndedRun[] = []
  const notResponsible: string[] = []
  let { handledThrough } = plan
  let before = first.ofSchedule ? saidThrough(plan, compiled.job!) : null
  let period: Period | null = first
  while (period !== null) {
    const at = asOfTheirTime ? period.at : now
    const verdict = verdictOn(period, compiled, { ...plan, handledThrough }, at, active)
    if (verdict.kind === 'suspended' || verdict.kind === 'wait') break
    ended.push(...stretchBetween(plan, compiled, before, period))
    if (verdict.kind === 'execute') {
      return { ended, start: period, handledThrough, notResponsible }
    }
    if (verdict.kind === 'notResponsible') notResponsible.push(period.periodId)
    const row = rowOf(plan, period, verdict, source)
    if (row !== null) {
      ended.push(row)
      handledThrough = Math.max(handledThrough ?? period.at, period.at)
    }
    if (!period.ofSchedule) break
    const { nominalTime } = period.decision
    // A period from before the schedule counted does not bring up again what was said.
    if (before !== null) before = Math.max(before, nominalTime)
    period = periodAfter(compiled, nominalTime, now, ended.length >= maxRows)
  }
  return { ended, start: null, handledThrough, notResponsible }
}

/** The row of a period that does not run; null when there is nothing to write down. */
export function rowOf(
  { endpointId }: Plan,
  { at, periodId }: Period,
  verdict: Verdict,
  source: RunSource,
): EndedRun | null {
  if (verdict.kind !== 'skipped' && verdict.kind !== 'missed') return null
  const { kind: status, reason } = verdict
  const wasRunning = false
  const key = { endpointId, scheduledFor: at, periodId }
  return { ...key, source, status, reason, error: null, wasRunning }
}

/** The next period of the schedule that has come by `now`, or the latest one. */
function periodAfter(
  { job }: CompiledEndpoint,
  nominal: number,
  now: number,
  jumps: boolean,
): Period | null {
  const latest = jumps ? newestPeriod(job!, now) : null
  const next = latest !== null && latest > nominal ? latest : job!.nextSchedulable(nominal)
  const period = next === null ? null : scheduledPeriod(job!, next)
  return period === null || period.at > now ? null : period
}

/** Periods of one stretch that are counted; beyond that there are at least so many. */
const maxCounted = 10_000

/** The period up to which everything has been said when a plan's period comes, or null. */
function saidThrough(plan: Plan, job: Job): number | null {
  if (!isConstrained(job)) return null
  const { handledThrough, responsibility, pausedUntil } = plan
  const known = [handledThrough, responsibility?.since ?? null, pausedUntil]
  const from = Math.max(...known.filter((instant) => instant !== null))
  return Number.isFinite(from) ? newestPeriod(job, from) : null
}

/** Without constraints every period can be scheduled. */
function isConstrained({ spec }: Job): boolean {
  return spec.constraints.only.length + spec.constraints.avoid.length > 0
}

/**
 * The periods between two that can't be scheduled, as one row: each for itself would drown the
 * history of an endpoint that runs every minute of some hours. None when something else than the
 * schedule decided in between.
 */
function stretchBetween(
  plan: Plan,
  { job, policy }: CompiledEndpoint,
  before: number | null,
  { decision, at }: Period,
): EndedRun[] {
  if (job === null || before === null) return []
  const first = job.nextPeriod(before)
  const next = decision.nominalTime
  if (first === null || first >= next || job.nextSchedulable(before) !== next) return []
  const unscheduled = job.decide(first)
  const verdict = evaluate({
    decision: unscheduled,
    policy,
    now: at,
    // All that was before the schedule counted is behind this as well.
    handledThrough: before,
    active: false,
  })
  if (verdict.kind !== 'unschedulable') return []
  let count = 1
  for (let nominal = job.nextPeriod(first); nominal !== null && nominal < next; count++) {
    if (count === maxCounted) break
    nominal = job.nextPeriod(nominal)
  }
  const last = job.cron.previous(next - 1, job.zone) ?? first
  return [
    {
      endpointId: plan.endpointId,
      scheduledFor: unscheduled.windowStart,
      periodId: unscheduled.periodId,
      source: 'baseline-cron',
      status: 'unschedulable',
      reason: verdict.reason,
      error: null,
      wasRunning: false,
      stretch: {
        first: unscheduled.periodId,
        last: instantText(last),
        count,
        ...(count === maxCounted && { more: true }),
      },
    },
  ]
}
