import { formatDuration } from '@kron/core'
import {
  type EndpointDefinition,
  type IntervalHint,
  instantText,
  isPaused,
  maxTtlMinutes,
  type OneShotHint,
  type Plan,
  type Steering,
} from '../domain/index.js'
import type { Memory } from '../learner/index.js'
import { freed, isRequested, withdrawnRun } from './claim-decision.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'
import { learnOutcome } from './learning.js'
import { outOfReach, type Reach, reachOf } from './one-shot-reach.js'
import { occasion, rowOf, verdictOn } from './periods.js'
import type { EndedRun, Outcome, OutcomeDecision, RunOrigin } from './planning.js'
import { replan } from './replan.js'

/** What becomes of an endpoint whose run ended. */
export function decideOutcome(
  plan: Plan,
  outcome: Outcome,
  origin: RunOrigin,
  compiled: CompiledEndpoint,
  now: number,
  { readSteering, memory }: OutcomeReading,
): OutcomeDecision {
  if (outcome.status === 'released') return released(plan, outcome, origin, compiled, now)
  const { hints, notes } = responseHints(outcome, compiled, plan, now, readSteering)
  const counted = { ...counts(plan, outcome, compiled), ...hints }
  const attention = attentionOf(plan, counted, outcome)
  if (outcome.overlapping) {
    const next: Plan = { ...plan, ...counted }
    const isSteered = 'oneShotHint' in counted || 'intervalHint' in counted
    return { plan: isSteered ? replan(next, compiled, now) : next, ended: [], attention, notes }
  }
  const free = freed(plan, compiled, now)
  const next: Plan = { ...free.plan, ...counted, lastRunAt: outcome.startedAt }
  const retryAfterMs = retryAfterOf(outcome, now, readSteering)
  const learned = isComparable(plan)
    ? learnOutcome(next, outcome, compiled, memory, now, retryAfterMs)
    : null
  const decided = { ended: free.ended, attention, notes }
  if (learned === null) return { plan: replan(next, compiled, now), ...decided }
  const isFollowed = compiled.endpoint.definition.planner === 'on'
  return {
    plan: replan(learned.plan, compiled, now),
    ...decided,
    learned: { memory: learned.memory, isFollowed, note: learned.note },
  }
}

/** A first run has nothing to be compared with, and many endpoints run only once. */
export const isComparable = ({ lastRunAt }: Plan): boolean => lastRunAt !== null

/** What a decision about an outcome needs beside the endpoint. */
interface OutcomeReading {
  readonly readSteering: ReadSteering
  /** What the learner remembers of the endpoint; null where that is nothing. */
  readonly memory: Memory | null
}

/** A success that says when to come again is steered by it, if it may be. */
function retryAfterOf(
  { status, response }: Outcome,
  now: number,
  readSteering: ReadSteering,
): number | null {
  if (status !== 'failure' || response === null) return null
  return readSteering(response.headers, now).retryAfterMs ?? null
}

/** As if it had never been claimed: the same instant is planned, and is not handled. */
function released(
  plan: Plan,
  { scheduledFor: at, overlapping }: Outcome,
  { source, periodId }: RunOrigin,
  compiled: CompiledEndpoint,
  now: number,
): OutcomeDecision {
  const only = (next: Plan, ended: readonly EndedRun[] = []): OutcomeDecision => ({
    plan: next,
    ended,
    attention: null,
    notes: [],
  })
  const free: Plan = overlapping ? plan : { ...plan, held: null }
  if (isRequested(source)) {
    const requested = { at, source }
    if (plan.requested === null) return only({ ...free, requested })
    return only(free, [withdrawnRun(plan, requested, 'cancelled', 'superseded', null)])
  }
  if (overlapping && plan.handledThrough !== null && plan.handledThrough > at) {
    // A later one was claimed meanwhile.
    const period = { ...occasion(at), periodId, supersededAt: plan.handledThrough }
    const row = rowOf(plan, period, verdictOn(period, compiled, plan, now, true), source)
    if (row !== null) return only(free, [row])
  }
  // One before it was released too, and is planned: the schedule brings this one after it.
  if (overlapping && source === 'baseline-cron' && isPlannedBefore(plan, at)) return only(free)
  const unhandled: Plan = { ...free, handledThrough: at - 1 }
  // A pause that began meanwhile would have moved it.
  if (isPaused(plan, now)) return only(replan(unhandled, compiled, now))
  return only({ ...unhandled, nextRunAt: at, source, periodId })
}

/** Whether an earlier period of the schedule waits to be claimed. */
function isPlannedBefore({ source, nextRunAt }: Plan, at: number): boolean {
  return source === 'baseline-cron' && nextRunAt !== null && nextRunAt < at
}

type Counted = Pick<Plan, 'failureCount' | 'lastStatus'>

function counts(plan: Plan, { status }: Outcome, { endpoint }: CompiledEndpoint): Counted {
  const { failureCount } = plan
  if (status === 'failure' || status === 'timeout') {
    return { failureCount: failureCount + 1, lastStatus: status }
  }
  const resets = status === 'success' && endpoint.definition.failureCountPolicy === 'reset'
  return { failureCount: resets ? 0 : failureCount, lastStatus: status }
}

function attentionOf(before: Plan, after: Counted, { status }: Outcome): string | null {
  if (status === 'failure' || status === 'timeout') return 'failure'
  if (status !== 'success') return null
  // A count that is never reset doesn't tell that it went well before.
  const wasFailing = before.lastStatus === 'failure' || before.lastStatus === 'timeout'
  return wasFailing || after.failureCount < before.failureCount ? 'recovery' : null
}

const defaultTtlMs = 3_600_000
const longestTtlMs = maxTtlMinutes * 60_000
/** A shorter interval, or the very moment, would have the target called as fast as it answers. */
const minIntervalMs = 1_000

export type ReadSteering = (headers: Readonly<Record<string, string>>, now: number) => Steering

/** What a response asked of its own schedule, as far as it may. */
interface ResponseHints {
  readonly hints: { readonly oneShotHint?: OneShotHint; readonly intervalHint?: IntervalHint }
  /** What is no hint, and why: for the record of the run. */
  readonly notes: readonly string[]
}

const nothing: ResponseHints = { hints: {}, notes: [] }

/** The only place where the headers of a response become hints. */
export function responseHints(
  outcome: Outcome,
  { endpoint }: CompiledEndpoint,
  plan: Plan,
  now: number,
  readSteering: ReadSteering,
): ResponseHints {
  const { response } = outcome
  if (!endpoint.definition.steering || response === null) return nothing
  const said = readSteering(response.headers, now)
  const notes = [...said.problems]
  const reach = reachAfter(outcome, plan, endpoint.definition)
  const oneShotHint = oneShotOf(said, outcome, reach, now, notes)
  const intervalHint = intervalOf(said, endpoint.definition.baseline.intervalMs, now, notes)
  return {
    hints: { ...(oneShotHint && { oneShotHint }), ...(intervalHint && { intervalHint }) },
    notes,
  }
}

/**
 * A time that is over when the run ends asks for nothing that is still to come. Taken as "at once"
 * it would be asked for again by the next response, and so on without a pause. Instants are
 * compared at the second, as deadlines are.
 */
function oneShotOf(
  { nextRunAt, nextRunTtlMs }: Steering,
  { startedAt, endedAt }: Outcome,
  reach: Reach,
  now: number,
  notes: string[],
): OneShotHint | null {
  if (nextRunAt === undefined) return null
  if (secondOf(nextRunAt) <= secondOf(Math.max(startedAt, endedAt))) {
    const run = `of ${instantText(startedAt)} to ${instantText(endedAt)}`
    notes.push(`Kron-Next-Run: ${instantText(nextRunAt)} is not after the run itself, ${run}`)
    return null
  }
  // Who names no time to live wants the run, however far off: only the longest time limits it.
  const ttlMs = nextRunTtlMs ?? Math.max(defaultTtlMs, nextRunAt - now)
  const expiresAt = now + Math.min(ttlMs, longestTtlMs)
  const flaw = outOfReach({ nextRunAt, expiresAt }, reach)
  if (flaw !== null) {
    notes.push(`Kron-Next-Run: ${instantText(nextRunAt)} ${flaw}`)
    return null
  }
  return { nextRunAt, expiresAt, reason: 'Kron-Next-Run of the response', by: 'response' }
}

/** A run that holds its endpoint will be its last one; beside others the plan knows the last. */
function reachAfter(
  { overlapping, startedAt }: Outcome,
  plan: Plan,
  { minIntervalMs }: EndpointDefinition,
): Reach {
  if (overlapping) return reachOf(plan, { minIntervalMs })
  return { since: startedAt, minIntervalMs }
}

/** Shorter than a second only where the owner's own interval is. */
function intervalOf(
  { intervalMs, intervalTtlMs }: Steering,
  baselineMs: number | null,
  now: number,
  notes: string[],
): IntervalHint | null {
  if (intervalMs === undefined) return null
  const least = Math.min(minIntervalMs, baselineMs ?? minIntervalMs)
  if (intervalMs < least) {
    const [wanted, got] = [formatDuration(least), formatDuration(intervalMs)]
    notes.push(`Kron-Interval: the interval must be at least ${wanted}, got ${got}`)
    return null
  }
  return {
    intervalMs,
    expiresAt: now + Math.min(intervalTtlMs ?? defaultTtlMs, longestTtlMs),
    reason: 'Kron-Interval of the response',
    by: 'response',
  }
}

const secondOf = (instant: number): number => Math.floor(instant / 1000)
