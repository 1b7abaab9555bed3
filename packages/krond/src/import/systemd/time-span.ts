const units: readonly (readonly [RegExp, number])[] = [
  [/^(?:usec|us|µs)$/, 0.001],
  [/^(?:msec|ms)$/, 1],
  [/^(?:seconds?|sec|s|)$/, 1000],
  [/^(?:minutes?|min|m)$/, 60_000],
  [/^(?:hours?|hr|h)$/, 3_600_000],
  [/^(?:days?|d)$/, 86_400_000],
  [/^(?:weeks?|w)$/, 604_800_000],
  [/^(?:months?|M)$/, 2_629_800_000],
  [/^(?:years?|y)$/, 31_557_600_000],
]

/** The milliseconds of systemd's `1h 30min`, `90` (seconds) or `infinity`; null for other text. */
export function timeSpan(text: string): number | null {
  if (text.trim() === 'infinity') return Number.POSITIVE_INFINITY
  if (!/^(?:\s*\d+(?:\.\d+)?\s*[A-Za-zµ]*)+\s*$/.test(text)) return null
  let total = 0
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*([A-Za-zµ]*)/g)) {
    const factor = units.find(([name]) => name.test(unit!))?.[1]
    if (factor === undefined) return null
    total += Number(number) * factor
  }
  return Math.round(total)
}
