import { newAges } from './ages.js'
import { newLevel } from './level.js'
import { newProfile, type ProfileSums, profileBins, profiles } from './profile.js'
import { newViews } from './views.js'

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
  /** The gap that was proposed last. */
  gapMs: number
}

/** All that is remembered of an endpoint. */
export interface Memory extends MemoryNumbers {
  readonly level: Float32Array
  /** The weight of each view. */
  readonly views: Float32Array
  readonly agesSeen: Float32Array
  /** For each rate that ages may multiply. */
  readonly agesExpected: readonly Float32Array[]
  readonly profiles: readonly ProfileSums[]
  /** Changes by the bins of all profiles. */
  readonly counts: Float32Array
}

/** Rates that ages may multiply: the mean, by the hour, by the day. */
export const agedRates = 3

/** Half a change in five times the baseline is taken to have been seen before. */
export const priorPeriods = 5

export function newMemory(baselineMs: number, now: number): Memory {
  return {
    since: now,
    lastLookAt: now,
    lastSeenAt: now,
    changedAt: now,
    fingerprint: -1,
    changes: 0.5,
    exposureMs: priorPeriods * baselineMs,
    changedPart: 0,
    overspent: 0,
    drift: 0,
    slant: 1,
    outageAt: -1,
    outageLooks: 0,
    floorMs: 0,
    refusedMs: 0,
    cleanRuns: 0,
    gapMs: baselineMs,
    level: newLevel(),
    views: newViews(),
    agesSeen: newAges(),
    agesExpected: Array.from({ length: agedRates }, newAges),
    profiles: profiles.map(newProfile),
    counts: new Float32Array(profileBins),
  }
}

/** Changes by the millisecond, over all that was seen. */
export const meanRate = ({ changes, exposureMs }: Memory): number => changes / exposureMs
