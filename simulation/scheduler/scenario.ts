import { Random } from '../random.js'
import { changedMix, taskMix, type WorldTask } from './task-mix.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Zones with an hour in which their clocks change. */
const changes: readonly (readonly [zone: string, at: number])[] = [
  ['America/New_York', Date.UTC(2026, 2, 8, 7)],
  ['America/New_York', Date.UTC(2026, 10, 1, 6)],
  ['Europe/Paris', Date.UTC(2026, 2, 29, 1)],
  ['Europe/Paris', Date.UTC(2026, 9, 25, 1)],
  ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15)],
  ['Australia/Lord_Howe', Date.UTC(2026, 9, 3, 15, 30)],
  ['America/Santiago', Date.UTC(2026, 3, 5, 3)],
  ['America/Santiago', Date.UTC(2026, 8, 6, 4)],
  ['Pacific/Apia', Date.UTC(2011, 11, 30, 10)],
  ['Pacific/Apia', Date.UTC(2021, 3, 3, 14)],
]

/** Something that somebody does, or that happens, some time after the one before. */
export type Happening =
  | { readonly kind: 'initialize'; readonly tasks: readonly WorldTask[] }
  | { readonly kind: 'initialize-badly'; readonly flaw: 'duplicate' | 'expression' | 'delay' }
  | { readonly kind: 'stop' }
  /** Another process comes while this one lives: it asks first, or it takes over. */
  | { readonly kind: 'intrude' }
  | { readonly kind: 'take-over'; readonly tasks: readonly WorldTask[] }
  | { readonly kind: 'crash'; readonly boundaries: number; readonly downMs: number }
  | { readonly kind: 'clock-step'; readonly ms: number }
  | { readonly kind: 'storage-down'; readonly ms: number }

export interface Scenario {
  readonly seed: number
  readonly timeZone: string
  readonly startAt: number
  readonly happenings: readonly (readonly [afterMs: number, Happening])[]
  /** For what callbacks do and the storage does. */
  readonly random: Random
}

export function scenario(seed: number): Scenario {
  const random = new Random(seed)
  const [timeZone, changeAt] = random.pick(changes)
  const happenings: [number, Happening][] = []
  let tasks = taskMix(random, random.between(1, 5))
  happenings.push([0, { kind: 'initialize', tasks }])
  for (let n = random.between(3, 12); n > 0; n--) {
    if (random.chance(0.3)) tasks = changedMix(random, tasks)
    happenings.push([pauseMs(random), someHappening(random, tasks)])
  }
  // So that every world goes on to work for a while.
  happenings.push([pauseMs(random), { kind: 'initialize', tasks }])
  happenings.push([30 * minute, { kind: 'stop' }])
  const startAt = changeAt - random.between(0, 4) * hour + random.between(0, hour)
  return { seed, timeZone, startAt, happenings, random: random.fork() }
}

function pauseMs(random: Random): number {
  return random.pick([0, 0, second, 59 * second, minute, 7 * minute, 40 * minute, 70 * minute])
}

function someHappening(random: Random, tasks: readonly WorldTask[]): Happening {
  switch (random.between(0, 18)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return { kind: 'initialize', tasks }
    case 4:
      return {
        kind: 'initialize-badly',
        flaw: random.pick(['duplicate', 'expression', 'delay'] as const),
      }
    case 5:
    case 6:
    case 7:
      return { kind: 'stop' }
    case 8:
    case 9:
    case 10:
    case 11:
      return {
        kind: 'crash',
        boundaries: random.between(0, 12),
        downMs: random.pick([0, second, 5 * minute, 90 * minute]),
      }
    case 12:
    case 13: {
      const ms = random.pick([300, second, 90 * second, hour, day]) * random.pick([1, -1])
      return { kind: 'clock-step', ms }
    }
    case 14:
      return { kind: 'intrude' }
    case 15:
    case 16:
      return { kind: 'take-over', tasks }
    default:
      return { kind: 'storage-down', ms: random.pick([second, minute, 10 * minute]) }
  }
}
