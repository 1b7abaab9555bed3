import type { Steering } from '../dispatch/index.js'
import { type IntervalHint, instantText, type OneShotHint } from '../domain/index.js'
import type { Outcome } from '../store/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'

const usualTtlMs = 3_600_000
/** As long as people's hints may hold. */
const longestTtlMs = 7 * 86_400_000
/** A shorter interval, or the very moment, would have the target called as fast as it answers. */
const leastIntervalMs = 1_000

export type ReadSteering = (headers: Readonly<Record<string, string>>, now: number) => Steering

/** What a response asked of its own schedule, as far as it may. */
export interface ResponseHints {
  readonly hints: { readonly oneShotHint?: OneShotHint; readonly intervalHint?: IntervalHint }
  /** What is no hint, and why: for the record of the run. */
  readonly notes: readonly string[]
}

const nothing: ResponseHints = { hints: {}, notes: [] }

/** The only place where the headers of a response become hints. */
export function responseHints(
  outcome: Outcome,
  { endpoint }: CompiledEndpoint,
  now: number,
  readSteering: ReadSteering,
): ResponseHints {
  const { response } = outcome
  if (!endpoint.definition.steering || response === null) return nothing
  const said = readSteering(response.headers, now)
  const notes = [...said.problems]
  const oneShotHint = oneShotOf(said, outcome, now, notes)
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
  now: number,
  notes: string[],
): OneShotHint | null {
  if (nextRunAt === undefined) return null
  if (secondOf(nextRunAt) <= secondOf(Math.max(startedAt, endedAt))) {
    const run = `of ${instantText(startedAt)} to ${instantText(endedAt)}`
    notes.push(`Kron-Next-Run: ${instantText(nextRunAt)} is not after the run itself, ${run}`)
    return null
  }
  return {
    nextRunAt,
    expiresAt: now + Math.min(nextRunTtlMs ?? usualTtlMs, longestTtlMs),
    reason: 'Kron-Next-Run of the response',
    by: 'response',
  }
}

/** Shorter than a second only where the owner's own interval is. */
function intervalOf(
  { intervalMs, intervalTtlMs }: Steering,
  baselineMs: number | null,
  now: number,
  notes: string[],
): IntervalHint | null {
  if (intervalMs === undefined) return null
  const least = Math.min(leastIntervalMs, baselineMs ?? leastIntervalMs)
  if (intervalMs < least) {
    notes.push(`Kron-Interval: the interval must be at least ${least}ms, got ${intervalMs}ms`)
    return null
  }
  return {
    intervalMs,
    expiresAt: now + Math.min(intervalTtlMs ?? usualTtlMs, longestTtlMs),
    reason: 'Kron-Interval of the response',
    by: 'response',
  }
}

const secondOf = (instant: number): number => Math.floor(instant / 1000)
