/** A set of whole numbers as `first, last` pairs, both included, ascending and not touching. */
export type Ranges = readonly number[]

/** Sorts pairs and joins those that overlap or touch. */
export function merged(pairs: readonly number[]): Ranges {
  if (pairs.length <= 2) return pairs
  const starts = Array.from({ length: pairs.length / 2 }, (_, index) => index * 2)
  starts.sort((a, b) => pairs[a]! - pairs[b]!)
  const result: number[] = []
  for (const start of starts) {
    const first = pairs[start]!
    const last = pairs[start + 1]!
    const end = result.length - 1
    if (end > 0 && first <= result[end]! + 1) result[end] = Math.max(result[end]!, last)
    else result.push(first, last)
  }
  return result
}

/** What both have. */
export function intersection(a: Ranges, b: Ranges): Ranges {
  const result: number[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const first = Math.max(a[i]!, b[j]!)
    const last = Math.min(a[i + 1]!, b[j + 1]!)
    if (first <= last) result.push(first, last)
    if (a[i + 1]! < b[j + 1]!) i += 2
    else j += 2
  }
  return result
}

/** What is from `min` to `max` and not in `ranges`. */
export function complement(ranges: Ranges, min: number, max: number): Ranges {
  const result: number[] = []
  let from = min
  for (let i = 0; i < ranges.length; i += 2) {
    if (from < ranges[i]!) result.push(from, ranges[i]! - 1)
    from = ranges[i + 1]! + 1
  }
  if (from <= max) result.push(from, max)
  return result
}

export function contains(ranges: Ranges, value: number): boolean {
  const range = rangeAtOrAfter(ranges, value)
  return range < ranges.length && ranges[range]! <= value
}

/** Index of the pair that holds the value or else follows it; the length when none does. */
export function rangeAtOrAfter(ranges: Ranges | Float64Array, value: number): number {
  let low = 0
  let high = ranges.length >> 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle * 2 + 1]! < value) low = middle + 1
    else high = middle
  }
  return low * 2
}

/** Each pair as text, joined with commas; a pair of one value is written as `single` does. */
export function listed(
  ranges: Ranges,
  single: (value: number) => string,
  pair: (first: number, last: number) => string,
): string {
  const parts: string[] = []
  for (let i = 0; i < ranges.length; i += 2) {
    const first = ranges[i]!
    const last = ranges[i + 1]!
    parts.push(first === last ? single(first) : pair(first, last))
  }
  return parts.join(',')
}
