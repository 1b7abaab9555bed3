import { type Answer, dayMs, hourMs, minuteMs, type Target, type World } from '../world.ts'
import { type Chance, chance, isWithin, normal, spans } from './chance.ts'

export interface Made {
  readonly changes: readonly number[]
  readonly rate?: (at: number) => number
  /** How the target answers while it is up. */
  readonly respond?: (at: number) => Answer
}

export type WorldOptions = Partial<Omit<World, 'make' | 'name'>> & {
  /** How long an outage lasts in the median; null for a target that is never down. */
  readonly outageMs?: number | null
}

const days = 28
const baselineMs = 5 * minuteMs
const minIntervalMs = 30_000
const maxBaselines = 12
const outagesEveryMs = 3 * dayMs
const outageMs = 40 * minuteMs

/** A world of four weeks that is looked at every five minutes, with an outage every third day. */
export function world(
  name: string,
  family: string,
  make: (random: Chance, end: number) => Made,
  options: WorldOptions = {},
): World {
  const { outageMs: medianMs = outageMs, ...given } = options
  const defaults = { days, baselineMs, minIntervalMs }
  const said = { ...defaults, ...given }
  const maxIntervalMs = given.maxIntervalMs ?? maxBaselines * said.baselineMs
  return {
    ...said,
    name,
    family,
    maxIntervalMs,
    make: (seed) => withOutages(chance(seed, name), said.days * dayMs, medianMs, make),
  }
}

/** Lengths of outages are log-normal: most are short, and a few last for hours. */
function withOutages(
  random: Chance,
  end: number,
  medianMs: number | null,
  make: (random: Chance, end: number) => Made,
): Target {
  const made = make(random, end)
  const length = (): number => Math.min(medianMs! * Math.exp(normal(random)), 12 * hourMs)
  const down = medianMs === null ? [] : spans(random, outagesEveryMs, length, end)
  return {
    ...made,
    respond(at) {
      if (isWithin(down, at)) return { status: 503, durationMs: 300 }
      return made.respond?.(at) ?? { status: 200, durationMs: 200 }
    },
  }
}
