import type { HostJob } from '../../packages/krond/src/daemon/index.js'
import { Random } from '../random.js'
import { jobMix } from './job-mix.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Days on which some zone of the mix changes its clock, so that most worlds see a change. */
const changes = [
  Date.UTC(2026, 2, 8), // New York forward
  Date.UTC(2026, 2, 29), // Paris forward
  Date.UTC(2026, 3, 5), // Lord Howe and Santiago back
  Date.UTC(2026, 8, 6), // Santiago forward
  Date.UTC(2026, 9, 4), // Lord Howe forward
  Date.UTC(2026, 9, 25), // Paris back
  Date.UTC(2026, 10, 1), // New York back
  Date.UTC(2011, 11, 30), // Apia loses a day
]

/** Something that happens to the machine, at a time since the beginning of the world. */
export type Happening =
  | { readonly kind: 'kill'; readonly downMs: number; readonly boundary: number }
  | { readonly kind: 'power-loss'; readonly downMs: number; readonly boundary: number }
  | { readonly kind: 'stop'; readonly downMs: number; readonly killJobs: boolean }
  | { readonly kind: 'clock-step'; readonly ms: number }
  | { readonly kind: 'reload'; readonly jobs: readonly HostJob[] }
  | { readonly kind: 'disk-fault'; readonly forever: boolean; readonly inCalls: number }
  | { readonly kind: 'damaged-file'; readonly at: number }

export interface Scenario {
  readonly seed: number
  readonly startAt: number
  readonly lengthMs: number
  readonly jobs: readonly HostJob[]
  readonly maxRunning: number
  readonly happenings: readonly (readonly [atMs: number, Happening])[]
  /** For what processes do. */
  readonly random: Random
}

export function scenario(seed: number): Scenario {
  const random = new Random(seed)
  const days = random.between(3, 6)
  const lengthMs = days * day
  const count = random.between(2, 5)
  const happenings: [number, Happening][] = []
  for (let n = random.between(2, days * 4); n > 0; n--) {
    happenings.push([random.between(0, lengthMs), someHappening(random, count)])
  }
  return {
    seed,
    startAt: random.pick(changes) - random.between(0, days - 1) * day + random.between(0, day),
    lengthMs,
    jobs: jobMix(random, count),
    maxRunning: random.pick([1, 3, 256]),
    happenings: happenings.sort(([a], [b]) => a - b),
    random: random.fork(),
  }
}

function someHappening(random: Random, jobCount: number): Happening {
  const downMs = random.pick([0, 1000, 20_000, 5 * minute, 2 * hour, day])
  const boundary = random.between(1, 60)
  switch (random.between(0, 9)) {
    case 0:
    case 1:
    case 2:
      return { kind: 'kill', downMs, boundary }
    case 3:
      return { kind: 'power-loss', downMs, boundary }
    case 4:
      return { kind: 'stop', downMs, killJobs: random.chance(0.5) }
    case 5:
    case 6: {
      const ms = random.pick([1000, hour, day]) * random.pick([1, -1])
      return { kind: 'clock-step', ms }
    }
    case 7:
      return { kind: 'reload', jobs: jobMix(random, random.between(1, jobCount + 1)) }
    case 8:
      return { kind: 'disk-fault', forever: random.chance(0.3), inCalls: random.between(1, 12) }
    default:
      return { kind: 'damaged-file', at: random.next() }
  }
}
