import type { EndpointDefinition } from '../domain/index.js'

/** Without limits of its own an interval is moved within these parts of the baseline. */
const minPart = 1 / 4
const maxPart = 12

interface IntervalBand {
  readonly minMs: number
  readonly maxMs: number
}

/** How far a planner may move an endpoint: between its own limits, or in a band of its baseline. */
export function intervalBand({
  baseline,
  minIntervalMs,
  maxIntervalMs,
}: Pick<EndpointDefinition, 'baseline' | 'minIntervalMs' | 'maxIntervalMs'>): IntervalBand {
  const { intervalMs } = baseline
  const least = intervalMs === null ? 0 : Math.ceil(intervalMs * minPart)
  const most = intervalMs === null ? Number.POSITIVE_INFINITY : intervalMs * maxPart
  // One limit of the owner may lie beyond the other end of the band.
  const minMs = minIntervalMs ?? Math.min(least, maxIntervalMs ?? least)
  return { minMs, maxMs: maxIntervalMs ?? Math.max(most, minMs) }
}
