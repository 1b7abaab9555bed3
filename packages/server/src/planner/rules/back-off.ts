import { formatDuration } from '@kron/core'
import { backoffMs } from '@kron/runtime'
import { instantText } from '../../domain/index.js'
import { type Calendar, intervalBand } from '../bounds.js'
import type { PlannerInput } from '../planner.js'
import { type Advice, onlySaid, ownName, type Rule } from './rule.js'

/** One or two failures may be anything. */
const firstFailures = 3
const longestMs = 3_600_000
const minTtlMinutes = 15
const maxTtlMinutes = 7 * 24 * 60
/** A one-shot that its worker comes to late must not have expired. */
const spareMinutes = 60

/** Doubles the interval with each failure in a row, and takes it back with the first success. */
export const backOffRule: Rule = (input) => {
  const { streak } = input.health
  if (streak === null) return null
  return streak.status === 'success' ? recovered(input) : failing(input, streak.length)
}

function failing(input: PlannerInput, failures: number): Advice | null {
  const { baselineMs, plan, now } = input
  if (failures < firstFailures || baselineMs === null) return null
  const head = `It failed ${failures} times in a row`
  const intervalMs = backedOff(input, baselineMs, failures)
  if (input.calendar !== null) return leftOut(input, input.calendar, intervalMs, failures)
  if (intervalMs <= baselineMs) return onlySaid(`${head}; its interval is long enough already.`)
  const given = plan.intervalHint
  if (given !== null && given.expiresAt > now) {
    const until = instantText(given.expiresAt)
    if (given.by !== ownName) return onlySaid(`${head}; the hint by ${given.by} stands.`)
    // A hint that lasts beyond the next run is renewed after it, if need be.
    if (given.intervalMs === intervalMs && given.expiresAt > now + intervalMs) {
      return onlySaid(`${head}; it runs every ${formatDuration(intervalMs)} until ${until}.`)
    }
  }
  const ttlMinutes = bounded(Math.ceil((3 * intervalMs) / 60_000), minTtlMinutes, maxTtlMinutes)
  const reason = `${failures} failures in a row`
  return {
    said: `${head}, so it runs every ${formatDuration(intervalMs)} for now.`,
    actions: [{ kind: 'proposeInterval', intervalMs, ttlMinutes, reason }],
  }
}

/** Of a cron, times are left out: it runs at the first one that is far enough away. */
function leftOut(
  { plan, now }: PlannerInput,
  calendar: Calendar,
  intervalMs: number,
  failures: number,
): Advice {
  const head = `It failed ${failures} times in a row`
  const given = plan.oneShotHint
  if (given !== null && given.expiresAt > now && given.by !== ownName) {
    return onlySaid(`${head}; the hint by ${given.by} stands.`)
  }
  const nextRunAt = calendar.from((plan.lastRunAt ?? now) + intervalMs)
  const isLater = nextRunAt !== null && plan.nextRunAt !== null && nextRunAt > plan.nextRunAt
  if (!isLater) return onlySaid(`${head}; its interval is long enough already.`)
  const ttlMinutes = Math.ceil((nextRunAt - now) / 60_000) + spareMinutes
  if (ttlMinutes > maxTtlMinutes) return onlySaid(`${head}; its next time is far away anyway.`)
  const reason = `${failures} failures in a row`
  return {
    said: `${head}, so it runs next at ${instantText(nextRunAt)}, a time of its schedule.`,
    actions: [{ kind: 'proposeNextTime', nextRunAt, ttlMinutes, reason }],
  }
}

function backedOff({ endpoint }: PlannerInput, baselineMs: number, failures: number): number {
  const { maxIntervalMs } = endpoint.definition
  const { minMs, maxMs } = intervalBand(endpoint.definition)
  const most = maxIntervalMs === null ? Math.min(maxMs, longestMs) : maxMs
  // The first of them is the baseline, which no failure changes.
  const doubled = backoffMs({ firstMs: baselineMs, maxMs: most }, failures - firstFailures + 2)
  return Math.max(doubled, Math.min(Math.max(minMs, 1), most))
}

function recovered({ plan, now }: PlannerInput): Advice | null {
  const isOwn = ({ by, expiresAt }: Given): boolean => by === ownName && expiresAt > now
  const given = [plan.intervalHint, plan.oneShotHint].filter((hint) => hint !== null)
  if (!given.some(isOwn)) return null
  return {
    said: 'It works again, so its baseline applies again.',
    actions: [{ kind: 'clearHints', reason: 'recovered' }],
  }
}

interface Given {
  readonly by: string
  readonly expiresAt: number
}

const bounded = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most)
