import { parseInstant } from '@kron/core'

const periodText = /"(?:LastHandledPeriodID|PeriodID)"\s*:\s*"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/g

/**
 * The latest period that a damaged state file still names, at most `latest`; null when none can
 * be read. Damage may have changed it, so whoever uses it must be able to live with any.
 */
export function legiblePeriod(bytes: Uint8Array, latest: number): number | null {
  let found: number | null = null
  for (const [, text] of Buffer.from(bytes).toString('latin1').matchAll(periodText)) {
    const period = instantOf(text!)
    if (period <= latest && (found === null || period > found)) found = period
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
