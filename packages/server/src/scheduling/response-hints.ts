import { formatDuration } from '@kron/core'
import {
  type EndpointDefinition,
  type IntervalHint,
  instantText,
  maxTtlMinutes,
  type OneShotHint,
  type Plan,
  type Steering,
} from '../domain/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'
import { outOfReach, type Reach, reachOf } from './one-shot-reach.js'
import type { Outcome } from './planning.js'

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
