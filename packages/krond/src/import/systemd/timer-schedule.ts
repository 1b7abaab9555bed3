import { formatDuration, parseCron } from '@kron/core'
import type { Calendar } from './on-calendar.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const comparedPeriods = 400

export interface TimerSettings {
  readonly timezone: string
  readonly randomDelayMs: number
  readonly persistent: boolean
}

/** The schedule of a krontab that elapses when the timer does. `cut`: its window had to be. */
export function timerSchedule(
  { cron, only, timezone }: Calendar,
  settings: TimerSettings,
): { schedule: string; cut: boolean } {
  const zone = timezone ?? settings.timezone
  // Beside a condition on the day, a window could reach into a day that is not meant.
  const longest = only === '' ? parseCron(cron).smallestGap() * 1000 : 0
  const wanted = Math.ceil(settings.randomDelayMs / 1000) * 1000
  const window = Math.min(wanted, longest)
  const deadline = settings.persistent ? longestGap(cron) : minuteMs
  const parts = [
    cron,
    zone === 'UTC' ? '' : `@tz(${zone})`,
    window === 0 ? '' : `@win(after,${formatDuration(window)})`,
    `@policy(deadline=${formatDuration(deadline)})`,
    only === '' ? '' : `@only(${only})`,
  ]
  return { schedule: parts.filter(Boolean).join(' '), cut: window < wanted }
}

/**
 * What systemd does after a start for `Persistent=true` is to make up for the last period that was
 * missed, however late. Later than the longest gap between two periods is never needed.
 */
function longestGap(cron: string): number {
  const compiled = parseCron(cron)
  let longest = hourMs
  let before = compiled.next(Date.UTC(2024, 0, 1))
  for (let seen = 0; before !== null && seen < comparedPeriods; seen++) {
    const next = compiled.next(before)
    if (next !== null) longest = Math.max(longest, next - before)
    before = next
  }
  return Math.min(Math.ceil(longest / hourMs) * hourMs, 366 * 24 * hourMs)
}

const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:usec|us|µs)$/, 0.001],
  [/^(?:msec|ms)$/, 1],
  [/^(?:seconds?|sec|s|)$/, 1000],
  [/^(?:minutes?|min|m)$/, 60_000],
  [/^(?:hours?|hr|h)$/, 3_600_000],
  [/^(?:days?|d)$/, 86_400_000],
  [/^(?:weeks?|w)$/, 604_800_000],
  [/^(?:months?|M)$/, 2_629_800_000],
  [/^(?:years?|y)$/, 31_557_600_000],
]

/** The milliseconds of systemd's `1h 30min`, `90` (seconds) or `infinity`; null for other text. */
export function timeSpan(text: string): number | null {
  if (text.trim() === 'infinity') return Number.POSITIVE_INFINITY
  if (!/^(?:\s*\d+(?:\.\d+)?\s*[A-Za-zµ]*)+\s*$/.test(text)) return null
  let total = 0
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*([A-Za-zµ]*)/g)) {
    const factor = units.find(([name]) => name.test(unit!))?.[1]
    if (factor === undefined) return null
    total += Number(number) * factor
  }
  return Math.round(total)
}
