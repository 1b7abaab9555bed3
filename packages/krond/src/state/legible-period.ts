import { parseInstant } from '@kron/core'

const periodText = /"(?:LastHandledPeriodID|PeriodID)"\s*:\s*"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/g

/** How late a period may be to be believed. */
export interface Belief {
  /** When it is named once: damage may have changed it. */
  readonly once: number
  /** When it is named twice or more: damage changes no two places to the same date. */
  readonly twice: number
}

/** The latest period that damaged state files still name, as far as they are to be believed. */
export function legiblePeriod(files: readonly Uint8Array[], latest: Belief): number | null {
  const mentions = new Map<number, number>()
  for (const bytes of files) {
    for (const [, text] of Buffer.from(bytes).toString('latin1').matchAll(periodText)) {
      const period = instantOf(text!)
      mentions.set(period, (mentions.get(period) ?? 0) + 1)
    }
  }
  let found: number | null = null
  for (const [period, count] of mentions) {
    const isBelieved = period <= (count > 1 ? latest.twice : latest.once)
    if (isBelieved && (found === null || period > found)) found = period
  }
  return found
}

/** Beyond all others for what is no date, such as the 31st of February. */
function instantOf(text: string): number {
  try {
    return parseInstant(text)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * Farther ahead no clock is expected to have been, by the word of one place in a file or of two: a
 * flipped digit must not stop a job for years.
 */
const farthestAheadMs = { once: 86_400_000, twice: 366 * 86_400_000 }

/**
 * Until when periods may have been handled that a damaged file knew of: now, or when it was written
 * if the clock has gone back since, or a period after both that it, or the save before, still names.
 */
export function presumedThrough(known: number, files: readonly Uint8Array[]): number {
  const { once, twice } = farthestAheadMs
  const legible = legiblePeriod(files, { once: known + once, twice: known + twice })
  return Math.max(known, legible ?? known)
}
