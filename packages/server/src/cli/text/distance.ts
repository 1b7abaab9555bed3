const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** `2d4h`, `4m30s`, `850ms`: the two largest units, as people say it. */
export function roughDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`
  const first = units.findIndex(([, unit]) => ms >= unit)
  let left = ms
  let text = ''
  for (const [name, unit] of units.slice(first, first + 2)) {
    const count = Math.floor(left / unit)
    left -= count * unit
    if (count > 0) text += `${count}${name}`
  }
  return text
}

/** `in 4m30s`, `2h ago`, `now`. */
export function distance(instant: number, now: number): string {
  const ms = instant - now
  if (Math.abs(ms) < 1000) return 'now'
  return ms > 0 ? `in ${roughDuration(ms)}` : `${roughDuration(-ms)} ago`
}

/** `2026-03-01T12:05:00Z (in 4m30s)`. */
export function whenText(instant: string | null, now: number): string | null {
  return instant === null ? null : `${instant} (${distance(Date.parse(instant), now)})`
}
