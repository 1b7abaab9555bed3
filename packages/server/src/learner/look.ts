import { expm1 } from '@kron/core/math'
import { fadeAges } from './ages.js'
import { learnLevel, quietOdds } from './level.js'
import type { Memory } from './memory.js'
import type { Outlook } from './outlook.js'
import { countChange, fade, profiles } from './profile.js'
import { view, viewCount, weighViews } from './views.js'

const minuteMs = 60_000
const halfHourMs = 30 * minuteMs
/** Up to here a gap is walked in minutes. */
const maxFineMs = 2 * 60 * minuteMs
const maxSteps = 512
/** Changes that are believed to have come in one gap. */
const maxChanges = 20

/** What one look counts in the part of those that found a change. */
const lookPart = 0.02

/** The steps of the gap that is being learned from: scratch memory, of no meaning between calls. */
const from = new Float64Array(maxSteps + 2)
const root = new Float64Array(maxSteps + 2)
const ageBin = new Int32Array(maxSteps + 2)
const hourRate = new Float64Array(maxSteps + 2)
const dayRate = new Float64Array(maxSteps + 2)
const expected = new Float64Array(viewCount)

/**
 * Learns from a look that succeeded: what all views expected of the gap since the last one, beside
 * what was seen. A gap is walked in minutes, or in half hours when it is long; a change in it is
 * taken to lie where it was expected most. Answers the mean of the expected root over the gap.
 */
export function learnLook(memory: Memory, outlook: Outlook, at: number, changed: boolean): number {
  const gapMs = at - memory.lastSeenAt
  const steps = walk(memory, outlook, at)
  let roots = 0
  for (let step = 0; step < steps; step++) roots += root[step]! * (from[step + 1]! - from[step]!)
  const quiet = quietOdds(memory.level, gapMs)
  weighViews(memory.views, expected, quiet, changed)
  learnLevel(memory.level, changed)
  const { mean } = outlook
  const changedAt = changed ? placeChange(memory, steps) : memory.changedAt
  expectByAge(memory, mean, steps)
  memory.changedAt = changedAt
  memory.exposureMs += gapMs
  for (let index = 0; index < profiles.length; index++) {
    const isRewritten = fade(profiles[index]!, memory.profiles[index]!, memory.counts, gapMs)
    if (isRewritten) memory.hasNewCounts = true
  }
  memory.changedPart += ((changed ? 1 : 0) - memory.changedPart) * lookPart
  memory.lastSeenAt = at
  return roots / gapMs
}

function walk(memory: Memory, outlook: Outlook, end: number): number {
  const begin = memory.lastSeenAt
  const isFine = end - begin <= maxFineMs
  const stepMs = isFine ? minuteMs : coarseStep(end - begin)
  const { mean } = outlook
  expected.fill(0)
  let steps = 0
  for (let at = begin; at < end; steps++) {
    const next = Math.min((Math.floor(at / stepMs) + 1) * stepMs, end)
    const lengthMs = next - at
    outlook.at(at + lengthMs / 2, isFine)
    const { hour, day } = outlook
    from[steps] = at
    root[steps] = outlook.root()
    ageBin[steps] = outlook.ageBin
    hourRate[steps] = hour
    dayRate[steps] = day
    expected[view.mean]! += mean * lengthMs
    expected[view.meanByAge]! += mean * outlook.factorMean * lengthMs
    expected[view.hour]! += hour * lengthMs
    expected[view.hourByAge]! += hour * outlook.factorHour * lengthMs
    expected[view.day]! += day * lengthMs
    expected[view.dayByAge]! += day * outlook.factorDay * lengthMs
    expected[view.week]! += outlook.week * lengthMs
    at = next
  }
  from[steps] = end
  return steps
}

function coarseStep(gapMs: number): number {
  return Math.ceil(gapMs / (halfHourMs * maxSteps)) * halfHourMs
}

/** Shares the changes of the gap out to its steps. Answers where their middle is. */
function placeChange(memory: Memory, steps: number): number {
  let sum = 0
  for (let step = 0; step < steps; step++) sum += massOf(step)
  const count = sum > 1e-9 ? Math.min(sum / -expm1(-sum), maxChanges) : 1
  memory.changes += count
  memory.hasNewCounts = true
  fadeAges(memory.agesSeen)
  for (const ages of memory.agesExpected) fadeAges(ages)
  let middle = 0
  for (let step = 0; step < steps; step++) {
    const part = massOf(step) / sum
    const center = (from[step]! + from[step + 1]!) / 2
    middle += part * center
    memory.agesSeen[ageBin[step]!]! += count * part
    for (let index = 0; index < profiles.length; index++) {
      countChange(profiles[index]!, memory.profiles[index]!, memory.counts, center, count * part)
    }
  }
  return middle
}

/** Changes that were expected in a step. */
const massOf = (step: number): number => root[step]! * root[step]! * (from[step + 1]! - from[step]!)

function expectByAge({ agesExpected }: Memory, mean: number, steps: number): void {
  const [byMean, byHour, byDay] = agesExpected as [Float32Array, Float32Array, Float32Array]
  for (let step = 0; step < steps; step++) {
    const lengthMs = from[step + 1]! - from[step]!
    const bin = ageBin[step]!
    byMean[bin]! += mean * lengthMs
    byHour[bin]! += hourRate[step]! * lengthMs
    byDay[bin]! += dayRate[step]! * lengthMs
  }
}
