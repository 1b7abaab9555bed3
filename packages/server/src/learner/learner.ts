import { exp } from '@kron/core/math'
import { compare } from './comparison.js'
import { learnLook } from './look.js'
import { type Memory, meanRate } from './memory.js'
import { Outlook } from './outlook.js'
import { spacing } from './spacing.js'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** What the learner has to keep to. */
export interface Band {
  readonly baselineMs: number
  readonly minMs: number
  readonly maxMs: number
  /** The part of the baseline's calls that may be made. */
  readonly budget: number
}

/** How a run went, as far as the learner is concerned. */
export interface Look {
  readonly at: number
  readonly kind: 'ok' | 'down' | 'limited'
  /** Whether the answer differs from the one before. */
  readonly changed: boolean
  readonly retryAfterMs: number | null
}

/** Why the next run is wanted when it is: `spacing` follows what was learned of changes. */
export type Mode = 'spacing' | 'outage' | 'limit'

/** What is thought best after a run. */
export interface Wish {
  /** From the start of the run to the start of the next one, within the band. */
  readonly gapMs: number
  readonly mode: Mode
}

const outlook = new Outlook()

/**
 * Learns from a run, and answers what is best after it. Where that is not followed, the runs stay
 * those of the baseline, and the budget counts the calls that would have been made.
 */
export function learn(memory: Memory, look: Look, band: Band, isFollowed = true): Wish {
  if (isFollowed) spend(memory, look.at, band)
  const gapMs = inBand(gapAfter(memory, look, band), band)
  memory.gapMs = isFollowed ? gapMs : band.baselineMs
  compare(memory, look, isFollowed, (from) => {
    if (isFollowed) return band.baselineMs
    spend(memory, from, band)
    return look.kind === 'ok' ? gapFrom(memory, from, band) : gapMs
  })
  return { gapMs, mode: modeOf(memory, look, gapMs) }
}

function modeOf({ floorMs }: Memory, { kind }: Look, gapMs: number): Mode {
  if (kind === 'down') return 'outage'
  return kind === 'limited' || gapMs === floorMs ? 'limit' : 'spacing'
}

/** The gap after a look that succeeded, by all that is known now. */
function gapFrom(memory: Memory, from: number, band: Band): number {
  const gapMs = spacing(memory, outlook, threshold(memory, band), { from, maxMs: band.maxMs })
  return inBand(Math.max(gapMs, memory.floorMs), band)
}

const inBand = (gapMs: number, { minMs, maxMs }: Band): number =>
  Math.min(Math.max(gapMs, minMs), maxMs)

function gapAfter(memory: Memory, look: Look, band: Band): number {
  if (look.kind === 'down') return gapInOutage(memory, look.at, band)
  if (look.kind === 'limited') return gapOfLimit(memory, look, band)
  memory.outageAt = -1
  relax(memory, band)
  if (look.at > memory.lastSeenAt) {
    outlook.read(memory, band.baselineMs)
    const gapMs = look.at - memory.lastSeenAt
    const root = learnLook(memory, outlook, look.at, look.changed)
    lean(memory, root / Math.sqrt(outlook.mean), gapMs, band)
  }
  outlook.read(memory, band.baselineMs)
  return gapFrom(memory, memory.lastSeenAt, band)
}

/** Slower than what is learned from, so that a budget is for days and not for hours. */
const slantMs = 4 * dayMs

function lean(memory: Memory, slant: number, gapMs: number, { baselineMs }: Band): void {
  const known = Math.max(10 * baselineMs, memory.lastSeenAt - memory.since)
  const part = Math.min(1, gapMs / Math.min(slantMs, known))
  memory.slant += (slant - memory.slant) * part
}

export const overspentFadeMs = 3 * dayMs
const driftPerDay = 0.25
const minDrift = -8
const maxDrift = 4

/**
 * Holds the calls to the budget: what was overspent raises the threshold at once and, while it
 * lasts, for good.
 */
function spend(memory: Memory, at: number, band: Band): void {
  const passedMs = Math.max(0, at - memory.lastLookAt)
  memory.lastLookAt = at
  const faded = memory.overspent / (1 + passedMs / overspentFadeMs)
  const dayCalls = maxOverspent(band)
  // What a limit does not allow is not saved for later.
  const budgetMs = Math.max(band.baselineMs / band.budget, memory.floorMs)
  const spent = faded + 1 - passedMs / budgetMs
  memory.overspent = Math.min(Math.max(spent, -2 * dayCalls), 2 * dayCalls)
  const drift = memory.drift + (driftPerDay * overspending(memory, band) * passedMs) / dayMs
  memory.drift = Math.min(Math.max(drift, minDrift), maxDrift)
}

/** Calls of a day, but for very many and very few. */
const maxOverspent = ({ baselineMs }: Band): number =>
  Math.max(20, Math.min(288, dayMs / baselineMs))

const overspending = (memory: Memory, band: Band): number => memory.overspent / maxOverspent(band)

function threshold(memory: Memory, band: Band): number {
  const correction = exp((memory.drift + overspending(memory, band)) / 2)
  const budgetMs = band.baselineMs / band.budget
  return Math.sqrt(meanRate(memory)) * memory.slant * budgetMs * correction
}

/** A first failure may be anything: it is confirmed soon. */
const confirmMs = minuteMs
const outagePart = 0.5
const outageBaselines = 0.36
const longOutagePart = 0.01

function gapInOutage(memory: Memory, at: number, { baselineMs }: Band): number {
  if (memory.outageAt < 0) {
    memory.outageAt = at
    memory.outageLooks = 0
  }
  const firstMs = Math.min(confirmMs, baselineMs / 3)
  if (memory.outageLooks++ === 0) return firstMs
  const lastedMs = at - memory.outageAt
  const mostMs = Math.max(outageBaselines * baselineMs, longOutagePart * lastedMs)
  return Math.max(firstMs, Math.min(outagePart * lastedMs, mostMs))
}

const limitGrowth = 1.3
const limitDecay = 0.95
const cleanRuns = 10
/** Close to what was refused last, the floor comes down more slowly. */
const carefulRuns = 40
const closeToRefused = 1.1

function gapOfLimit(memory: Memory, { retryAfterMs }: Look, { minMs, maxMs }: Band): number {
  const refusedMs = memory.gapMs
  memory.refusedMs = refusedMs
  memory.cleanRuns = 0
  memory.floorMs = Math.min(maxMs, Math.max(memory.floorMs, minMs, refusedMs) * limitGrowth)
  return Math.max(memory.floorMs, retryAfterMs ?? 0)
}

function relax(memory: Memory, { minMs }: Band): void {
  if (memory.floorMs === 0) return
  memory.cleanRuns++
  const lower = memory.floorMs * limitDecay
  const isClose = lower < closeToRefused * memory.refusedMs
  if (memory.cleanRuns < (isClose ? carefulRuns : cleanRuns)) return
  memory.cleanRuns = 0
  memory.floorMs = lower < minMs ? 0 : lower
}
