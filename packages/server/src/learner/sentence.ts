import { formatDuration } from '@kron/core'
import type { Account, Comparison, Pattern, Peak } from './account.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** What was learned, in words and numbers. `isFollowed`: planners act, instead of suggesting. */
export function accountSentence(account: Account, isFollowed: boolean): string {
  const { changesEveryMs, pattern, peak, compared } = account
  if (changesEveryMs === null) return 'No change was seen lately.'
  const often = `A change is seen about every ${rounded(changesEveryMs)}`
  const when = peak === null ? '' : `, mostly ${peakText(pattern, peak)}`
  const saved = compared === null ? '' : ` ${comparisonSentence(compared, isFollowed)}`
  return `${often}${when}.${saved}`
}

function comparisonSentence(compared: Comparison, isFollowed: boolean): string {
  const { callsPerDay, otherCallsPerDay, delayMs, otherDelayMs } = compared
  const own = [callsPerDay, delayMs] as const
  const other = [otherCallsPerDay, otherDelayMs] as const
  const [[learned, learnedDelay], [plain, plainDelay]] = isFollowed ? [own, other] : [other, own]
  const calls = `${count(learned)} calls a day instead of ${count(plain)}`
  const would = isFollowed ? '' : 'would '
  const head = isFollowed ? `It has ${calls}` : `With the learner it would have ${calls}`
  if (learnedDelay === null || plainDelay === null) return `${head}.`
  const sees = isFollowed ? 'sees' : 'see'
  const delays = `${rounded(learnedDelay)} instead of ${rounded(plainDelay)}`
  return `${head}, and ${would}${sees} a change after ${delays}.`
}

const count = (calls: number): string => calls.toFixed(calls < 10 ? 1 : 0)

/** Two digits say enough. */
function rounded(ms: number): string {
  const unit = ms < minuteMs ? 1000 : ms < hourMs ? 10_000 : ms < dayMs ? minuteMs : hourMs
  return formatDuration(Math.max(1, Math.round(ms / unit)) * unit)
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Such as "at 14:00-15:00 UTC". */
export function peakText(pattern: Pattern, { fromMs, toMs }: Peak): string {
  if (pattern === 'hour') return `from minute ${minute(fromMs)} to ${minute(toMs)} of the hour`
  if (pattern === 'day') return `at ${clock(fromMs)}-${clock(toMs)} UTC`
  const last = clock(toMs)
  const end = dayOf(fromMs) === dayOf(toMs - 1) ? last : `${dayOf(toMs - 1)} ${last}`
  return `on ${dayOf(fromMs)} ${clock(fromMs)}-${end} UTC`
}

const minute = (ms: number): number => Math.floor(ms / minuteMs) % 60
const dayOf = (ms: number): string => days[Math.floor(ms / dayMs) % 7]!

function clock(ms: number): string {
  const minutes = Math.floor((ms % dayMs) / minuteMs)
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

const two = (value: number): string => String(value).padStart(2, '0')
