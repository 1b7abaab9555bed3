export function geometricMean(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN
  let logs = 0
  for (const value of values) logs += Math.log(value)
  return Math.exp(logs / values.length)
}

/** The value below which this share of all lies; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = [...values].sort((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)]!
  const above = sorted[Math.ceil(position)]!
  return below + (above - below) * (position - Math.floor(position))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)
