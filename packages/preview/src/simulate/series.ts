/** What people want to know of a row of counts. */
export interface Series {
  readonly counts: Uint32Array
  readonly total: number
  readonly mean: number
  readonly peak: number
  /** Index of the first bucket with the peak; 0 when nothing starts. */
  readonly peakAt: number
}

export function seriesOf(counts: Uint32Array): Series {
  let total = 0
  let peak = 0
  let peakAt = 0
  for (let index = 0; index < counts.length; index++) {
    const count = counts[index]!
    total += count
    if (count > peak) {
      peak = count
      peakAt = index
    }
  }
  return { counts, total, mean: counts.length === 0 ? 0 : total / counts.length, peak, peakAt }
}

/** The busiest buckets, most starts first and then earliest first; none that are empty. */
export function busiest({ counts }: Series, most: number): { index: number; count: number }[] {
  const top: { index: number; count: number }[] = []
  for (let index = 0; index < counts.length; index++) {
    const count = counts[index]!
    if (count === 0 || (top.length === most && count <= top.at(-1)!.count)) continue
    let place = top.length
    while (place > 0 && top[place - 1]!.count < count) place--
    top.splice(place, 0, { index, count })
    if (top.length > most) top.pop()
  }
  return top
}

/** The largest count of each group of neighbouring buckets: the height of a chart's columns. */
export function peaksOf(counts: Uint32Array, perColumn: number): number[] {
  const columns: number[] = []
  for (let start = 0; start < counts.length; start += perColumn) {
    let peak = 0
    for (const count of counts.subarray(start, start + perColumn)) peak = Math.max(peak, count)
    columns.push(peak)
  }
  return columns
}
