/** Seeded, so that a world is the same for every policy and in every run: numbers in [0, 1). */
export function chance(seed: number, name: string): () => number {
  let state = seed >>> 0
  for (const letter of name) state = Math.imul(state ^ letter.codePointAt(0)!, 0x9e3779b1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type Chance = ReturnType<typeof chance>

export const exponential = (random: Chance, mean: number): number => -Math.log(1 - random()) * mean

export const normal = (random: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** The instants of a process whose rate is never above `most`. */
export function instants(
  random: Chance,
  rate: (at: number) => number,
  most: number,
  end: number,
): number[] {
  const found: number[] = []
  for (let at = exponential(random, 1 / most); at < end; at += exponential(random, 1 / most)) {
    if (random() < rate(at) / most) found.push(at)
  }
  return found
}

export type Span = readonly [from: number, to: number]

/** Spans that come at random, with lengths as given. */
export function spans(random: Chance, everyMs: number, length: () => number, end: number): Span[] {
  const found: Span[] = []
  for (let at = exponential(random, everyMs); at < end; at += exponential(random, everyMs)) {
    const to = at + length()
    found.push([at, to])
    at = to
  }
  return found
}

/** Whether an instant is in one of the spans, for instants in any order. */
export function isWithin(all: readonly Span[], at: number): boolean {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]![1] <= at) low = middle + 1
    else high = middle
  }
  return low < all.length && all[low]![0] <= at
}
