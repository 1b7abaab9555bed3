import type { Calendar } from '../calendar.ts'
import type { Target, World } from '../world.ts'

/** How a run went. */
export interface Look {
  readonly at: number
  readonly kind: 'ok' | 'down' | 'limited'
  readonly changed: boolean
  readonly retryAfterMs: number | null
}

/** Decides after each run of one endpoint when the next one is: its start, or null for the baseline. */
export interface Player {
  next(look: Look): number | null
}

export interface Setting {
  readonly world: World
  readonly target: Target
  readonly calendar: Calendar | null
  /** The part of the baseline's calls that the policy is to make, if it knows how to. */
  readonly budget: number
}

export interface Policy {
  readonly name: string
  /** null where the policy can't be played in a world. */
  play(setting: Setting): Player | null
}

/** For a policy that thinks in gaps: within the band, and at times of the calendar. */
export function atGap(
  { world, calendar }: Setting,
  { at, retryAfterMs }: Pick<Look, 'at' | 'retryAfterMs'>,
  gapMs: number,
): number | null {
  const { minIntervalMs, maxIntervalMs } = world
  const wanted = Math.max(gapMs, retryAfterMs ?? 0)
  const inBand = Math.min(Math.max(wanted, minIntervalMs), maxIntervalMs)
  if (calendar === null) return at + Math.round(inBand)
  const next = calendar.from(Math.ceil(at + Math.min(inBand, world.baselineMs)))
  const later = calendar.from(Math.ceil(at + inBand))
  return later !== null && later <= at + maxIntervalMs ? later : next
}
