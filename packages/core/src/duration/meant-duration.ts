import { formatDuration } from './format-duration.js'

const units: readonly (readonly [name: RegExp, milliseconds: number])[] = [
  [/^(?:ms|millis(?:econds?)?)$/, 1],
  [/^(?:s|secs?|seconds?)$/, 1000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
  [/^(?:w|weeks?)$/, 604_800_000],
]

const longestText = 100
const longestMs = 1e13

/** What people mean by `2 hours`, `90 min` or `1 day, 6 hours`: `2h`, `1h30m`, `30h`; else null. */
export function meantDuration(text: string): string | null {
  if (text.length > longestText || !/^(?:\s*\d+(?:\.\d+)?\s*[a-z]+\s*,?)+$/i.test(text)) return null
  let sum = 0
  for (const [, number, word] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const unit = units.find(([name]) => name.test(word!.toLowerCase()))
    if (unit === undefined) return null
    sum += Number(number) * unit[1]
  }
  return sum <= longestMs ? formatDuration(Math.round(sum)) : null
}
