/** Instants from just after `from` up to and including `to`. */
export interface InstantSpan {
  readonly from: number
  readonly to: number
}

/** A set of instants, as disjoint spans in order. */
export class InstantSet {
  readonly #spans: InstantSpan[] = []

  get spans(): readonly InstantSpan[] {
    return this.#spans
  }

  add(from: number, to: number): void {
    if (to <= from) return
    const first = this.#firstEndingAtOrAfter(from)
    let last = first
    while (last < this.#spans.length && this.#spans[last]!.from <= to) last++
    const merged = {
      from: Math.min(from, this.#spans[first]?.from ?? from),
      to: last === first ? to : Math.max(to, this.#spans[last - 1]!.to),
    }
    this.#spans.splice(first, last - first, merged)
  }

  remove(from: number, to: number): void {
    if (to <= from) return
    const first = this.#firstEndingAtOrAfter(from)
    let last = first
    const kept: InstantSpan[] = []
    for (; last < this.#spans.length && this.#spans[last]!.from < to; last++) {
      const span = this.#spans[last]!
      if (span.from < from) kept.push({ from: span.from, to: Math.min(span.to, from) })
      if (span.to > to) kept.push({ from: to, to: span.to })
    }
    this.#spans.splice(first, last - first, ...kept)
  }

  /** The parts of a span that are not in the set, in order. */
  outside({ from, to }: InstantSpan): InstantSpan[] {
    const parts: InstantSpan[] = []
    let rest = from
    for (let at = this.#firstEndingAtOrAfter(from); at < this.#spans.length; at++) {
      const span = this.#spans[at]!
      if (span.from >= to) break
      if (span.from > rest) parts.push({ from: rest, to: span.from })
      rest = Math.max(rest, span.to)
    }
    if (rest < to) parts.push({ from: rest, to })
    return parts
  }

  #firstEndingAtOrAfter(instant: number): number {
    let low = 0
    let high = this.#spans.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#spans[middle]!.to < instant) low = middle + 1
      else high = middle
    }
    return low
  }
}
