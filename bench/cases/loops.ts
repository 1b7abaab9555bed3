import type { Contender } from '../measure.ts'
import { ownCopy } from '../own-copy.ts'
import type { Schedule, Walk } from '../peers/index.ts'
import { horizonMs, scatteredInstants } from './instants.ts'

export type Mode = 'chained' | 'scattered'

const starts = scatteredInstants(16, 7)
const scattered = scatteredInstants(1024)
const chainLength = 8

type ChainedLoop = (
  next: (afterMs: number) => number,
  starts: Float64Array,
  chainLength: number,
  horizonMs: number,
  iterations: number,
) => number
type WalkingLoop = (
  walk: Walk,
  starts: Float64Array,
  chainLength: number,
  horizonMs: number,
  iterations: number,
) => number
type ScatteredLoop = (
  next: (afterMs: number) => number,
  instants: Float64Array,
  iterations: number,
) => number

/** Each result is the next question; a new start after a few steps keeps slow peers comparable. */
const chainedLoop: ChainedLoop = (next, starts, chainLength, horizonMs, iterations) => {
  let start = 0
  let step = 0
  let at = starts[0]!
  for (let i = 0; i < iterations; i++) {
    at = next(at)
    if (++step === chainLength || at >= horizonMs) {
      step = 0
      start = (start + 1) % starts.length
      at = starts[start]!
    }
  }
  return at
}

const walkingLoop: WalkingLoop = (walk, starts, chainLength, horizonMs, iterations) => {
  let start = 0
  let step = 0
  walk.from(starts[0]!)
  let at = 0
  for (let i = 0; i < iterations; i++) {
    at = walk.next()
    if (++step === chainLength || at >= horizonMs) {
      step = 0
      start = (start + 1) % starts.length
      walk.from(starts[start]!)
    }
  }
  return at
}

const scatteredLoop: ScatteredLoop = (next, instants, iterations) => {
  let sum = 0
  for (let i = 0; i < iterations; i++) sum += next(instants[i & 1023]!)
  return sum
}

interface Loops {
  readonly chained: ChainedLoop
  readonly walking: WalkingLoop
  readonly scattered: ScatteredLoop
}

const loopsByName = new Map<string, Loops>()

function loopsOf(name: string): Loops {
  let loops = loopsByName.get(name)
  if (loops === undefined) {
    loops = {
      chained: ownCopy(chainedLoop),
      walking: ownCopy(walkingLoop),
      scattered: ownCopy(scatteredLoop),
    }
    loopsByName.set(name, loops)
  }
  return loops
}

export function nextContender(name: string, schedule: Schedule, mode: Mode): Contender {
  const loops = loopsOf(name)
  const { next, walk } = schedule
  if (mode === 'scattered') return { name, run: (count) => loops.scattered(next, scattered, count) }
  if (walk !== undefined) {
    return { name, run: (count) => loops.walking(walk, starts, chainLength, horizonMs, count) }
  }
  return { name, run: (count) => loops.chained(next, starts, chainLength, horizonMs, count) }
}
