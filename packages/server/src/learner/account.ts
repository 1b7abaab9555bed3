import { type Memory, priorPeriods } from './memory.js'
import { binOf, lineOf, type ProfileShape, profiles } from './profile.js'
import { view } from './views.js'

/** When changes come: at certain times of the hour, the day or the week, or whenever. */
export type Pattern = 'hour' | 'day' | 'week' | 'none'

/** A part of the hour, the day or the week, from its beginning; the week begins on Monday, in UTC. */
export interface Peak {
  readonly fromMs: number
  readonly toMs: number
}

/** What was learned of an endpoint, for people. */
export interface Account {
  readonly since: number
  /** From one change that was seen to the next, in the mean; null when none was seen lately. */
  readonly changesEveryMs: number | null
  /** The part of looks that find a change, old ones fading. */
  readonly changedPart: number
  readonly pattern: Pattern
  /** Where most changes come; null without a pattern. */
  readonly peak: Peak | null
  /** How often changes come in each part of the pattern, as a part of the mean. */
  readonly profile: readonly number[]
  readonly downSince: number | null
  /** The least gap that a rate limit leaves; null where there is none. */
  readonly limitMs: number | null
  readonly compared: Comparison | null
}

/** The schedule in force beside the other one: the baseline, or what the learner suggests. */
export interface Comparison {
  readonly days: number
  readonly callsPerDay: number
  readonly otherCallsPerDay: number
  /** Until a change is seen, in the mean; null where none was seen. */
  readonly delayMs: number | null
  readonly otherDelayMs: number | null
}

const dayMs = 86_400_000
const minComparedMs = dayMs / 4
/** Weights of views below this are no pattern. */
const minWeight = 0.5
const patterns = ['hour', 'day', 'week'] as const
/** 1970 began on a Thursday. */
const mondayBins = 4 * 24

export function accountOf(memory: Memory, baselineMs: number): Account {
  const index = patternOf(memory)
  const profile = index < 0 ? [] : profileOf(memory, profiles[index]!, index, baselineMs)
  return {
    since: memory.since,
    changesEveryMs: memory.seen < 1 ? null : Math.round(memory.comparedMs / memory.seen),
    changedPart: memory.changedPart,
    pattern: patterns[index] ?? 'none',
    peak: index < 0 ? null : peakOf(profile, profiles[index]!),
    profile,
    downSince: memory.outageAt < 0 ? null : memory.outageAt,
    limitMs: memory.floorMs > 0 ? Math.round(memory.floorMs) : null,
    compared: comparisonOf(memory),
  }
}

/** The index of the pattern in force, or -1. */
function patternOf({ views }: Memory): number {
  const weights = [
    views[view.hour]! + views[view.hourByAge]!,
    views[view.day]! + views[view.dayByAge]!,
    views[view.week]!,
  ]
  const best = weights.indexOf(Math.max(...weights))
  return weights[best]! >= minWeight ? best : -1
}

function profileOf(
  memory: Memory,
  shape: ProfileShape,
  index: number,
  baselineMs: number,
): readonly number[] {
  const line = { slope: 0, floor: 0 }
  lineOf(shape, memory.profiles[index]!, priorPeriods * baselineMs, line)
  const binMs = shape.periodMs / shape.bins
  const rates = Array.from({ length: shape.bins }, (_, bin) => {
    return memory.counts[binOf(shape, (bin + 0.5) * binMs)]! * line.slope + line.floor
  })
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  const parts = rates.map((rate) => rate / mean)
  return shape.bins === 168 ? [...parts.slice(mondayBins), ...parts.slice(0, mondayBins)] : parts
}

/** Around the greatest, as long as it is at least half of that. */
function peakOf(profile: readonly number[], { periodMs, bins }: ProfileShape): Peak {
  const most = Math.max(...profile)
  const isHigh = (bin: number): boolean => profile[(bin + bins) % bins]! >= most / 2
  let from = profile.indexOf(most)
  let to = from + 1
  while (to - from < bins && isHigh(from - 1)) from--
  while (to - from < bins && isHigh(to)) to++
  const binMs = periodMs / bins
  const begin = (from + bins) % bins
  return { fromMs: begin * binMs, toMs: (begin + to - from) * binMs }
}

function comparisonOf(memory: Memory): Comparison | null {
  const { comparedMs, calls, otherCalls, seen, delayMs, otherDelayMs } = memory
  if (comparedMs < minComparedMs) return null
  const days = comparedMs / dayMs
  const mean = (total: number): number | null => (seen < 1 ? null : Math.round(total / seen))
  return {
    days,
    callsPerDay: calls / days,
    otherCallsPerDay: otherCalls / days,
    delayMs: mean(delayMs),
    otherDelayMs: mean(otherDelayMs),
  }
}
