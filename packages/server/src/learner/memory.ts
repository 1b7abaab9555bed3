import { ageBins } from './ages.js'
import { levels, newLevel } from './level.js'
import { newProfile, type ProfileSums, profileBins, profiles } from './profile.js'
import { newViews, viewCount } from './views.js'

/** Numbers of an endpoint that change with each run. */
export interface MemoryNumbers {
  /** When the first run was looked at. */
  since: number
  /** The start of the last run, and of the last one that succeeded. */
  lastLookAt: number
  lastSeenAt: number
  /** Where the last change is thought to lie. */
  changedAt: number
  /** What the last answer was, as a number; -1 before the first. */
  fingerprint: number
  /** Changes that were counted, and the time in which they came. */
  changes: number
  exposureMs: number
  /** The part of looks that found a change, old ones fading. */
  changedPart: number
  /** Calls beyond the budget, old ones fading; and the slow part of their correction. */
  overspent: number
  drift: number
  /** The mean of sqrt(rate now / mean rate): what a look at a mean time is worth. */
  slant: number
  /** When the outage under way was noticed, or -1; and the looks since. */
  outageAt: number
  outageLooks: number
  /** The least gap that a rate limit leaves, the gap that was refused last, and clean runs since. */
  floorMs: number
  refusedMs: number
  cleanRuns: number
  /** The gap that was in force last. */
  gapMs: number
  /** What is called, as a number: what was learned of another resource says nothing of this one. */
  resource: number
  /** When the last session about what was learned was kept. */
  notedAt: number
  /** 1 while the learner is followed, 0 while it only suggests, -1 before the first look. */
  followed: number
  /** The next look of the schedule that is not in force (see comparison.ts). */
  otherAt: number
  /** Since when both schedules were compared, and for how long; what is old fades. */
  comparedAt: number
  comparedMs: number
  /** Calls of the schedule in force and of the other, changes seen, and how late by each. */
  calls: number
  otherCalls: number
  seen: number
  delayMs: number
  otherDelayMs: number
}

/** All that is remembered of an endpoint. Its arrays but `counts` lie in one piece of memory. */
export interface Memory extends MemoryNumbers {
  /** What is stored with each run: room for the numbers, then `level` and what follows it. */
  readonly block: ArrayBuffer
  readonly level: Float32Array
  /** The weight of each view. */
  readonly views: Float32Array
  readonly agesSeen: Float32Array
  /** For each rate that ages may multiply. */
  readonly agesExpected: readonly Float32Array[]
  readonly profiles: readonly ProfileSums[]
  /** Changes by the bins of all profiles. */
  readonly counts: Float32Array
  /** Whether `counts` changed since they were stored. */
  hasNewCounts: boolean
}

/** Rates that ages may multiply: the mean, by the hour, by the day. */
export const agedRates = 3

/** Half a change in five times the baseline is taken to have been seen before. */
export const priorPeriods = 5

/** Numbers that a memory has beside its arrays: its own, those of its profiles, and one of layout. */
export const doubles = 29 + 3 * profiles.length
const singles = levels + viewCount + ageBins * (1 + agedRates)
export const blockBytes = doubles * 8 + singles * 4

/** A memory of nothing on a block, whose numbers are to be filled in. */
export function memoryOn(block: ArrayBuffer, counts: Float32Array): Memory {
  let from = doubles * 8
  const next = (length: number): Float32Array => {
    const part = new Float32Array(block, from, length)
    from += part.byteLength
    return part
  }
  return {
    block,
    since: 0,
    lastLookAt: 0,
    lastSeenAt: 0,
    changedAt: 0,
    fingerprint: -1,
    changes: 0.5,
    exposureMs: 0,
    changedPart: 0,
    overspent: 0,
    drift: 0,
    slant: 1,
    outageAt: -1,
    outageLooks: 0,
    floorMs: 0,
    refusedMs: 0,
    cleanRuns: 0,
    gapMs: 0,
    resource: -1,
    notedAt: 0,
    followed: -1,
    otherAt: 0,
    comparedAt: 0,
    comparedMs: 0,
    calls: 0,
    otherCalls: 0,
    seen: 0,
    delayMs: 0,
    otherDelayMs: 0,
    level: next(levels),
    views: next(viewCount),
    agesSeen: next(ageBins),
    agesExpected: [next(ageBins), next(ageBins), next(ageBins)],
    profiles: [newProfile(), newProfile(), newProfile()],
    counts,
    hasNewCounts: false,
  }
}

export function newMemory(baselineMs: number, now: number): Memory {
  const memory = memoryOn(new ArrayBuffer(blockBytes), new Float32Array(profileBins))
  memory.level.set(newLevel())
  memory.views.set(newViews())
  return Object.assign(memory, {
    since: now,
    lastLookAt: now,
    lastSeenAt: now,
    changedAt: now,
    exposureMs: priorPeriods * baselineMs,
    gapMs: baselineMs,
    notedAt: now,
    otherAt: now + baselineMs,
    comparedAt: now,
  })
}

/** An answer that differs nearly every time says nothing about when it is worth a look. */
const maxChangedPart = 0.95

export const isTelling = ({ changedPart }: Memory): boolean => changedPart <= maxChangedPart

/** Changes by the millisecond, over all that was seen. */
export const meanRate = ({ changes, exposureMs }: Memory): number => changes / exposureMs
