/** From one minute to another, both included, for tasks up to an id: those that were there. */
export type MinuteSpan = readonly [from: number, to: number, lastTaskId: number]

const msPerMinute = 60_000

/**
 * Minutes that belong to the past of tasks, as few spans in the order of time. There is room for so
 * many; beyond, the narrowest gap between two of them is closed. What was handled is never forgotten
 * by that. The price is that a minute in a gap may be taken for handled, should the clock ever be
 * set back to it: a run that is left out, and not one too many.
 */
export class MinuteSpans {
  readonly #most: number
  #spans: MinuteSpan[] = []

  constructor(most: number, spans: Iterable<MinuteSpan> = []) {
    this.#most = most
    for (const [from, to, lastTaskId] of spans) this.add(from, to, lastTaskId)
  }

  get spans(): readonly MinuteSpan[] {
    return this.#spans
  }

  /** The latest minute of all. */
  get end(): number {
    return this.#spans.at(-1)?.[1] ?? Number.NEGATIVE_INFINITY
  }

  has(instant: number, taskId: number): boolean {
    return this.#indexOf(instant, taskId) >= 0
  }

  /** Where the minutes without a gap begin that this one is in. */
  startOf(instant: number, taskId: number): number | null {
    let index = this.#indexOf(instant, taskId)
    if (index < 0) return null
    while (index > 0 && this.#continues(index, taskId)) index--
    return this.#spans[index]![0]
  }

  add(fromInstant: number, toInstant: number, lastTaskId: number): void {
    const [from, to] = [minuteOf(fromInstant), minuteOf(toInstant)]
    const newest = this.#spans.at(-1)
    // As time goes on, which it mostly does.
    if (
      newest !== undefined &&
      newest[0] <= from &&
      from <= newest[1] &&
      newest[2] === lastTaskId
    ) {
      if (to > newest[1]) this.#spans[this.#spans.length - 1] = [newest[0], to, lastTaskId]
      return
    }
    const parts: MinuteSpan[] = []
    let rest = from
    for (const span of this.#spans) {
      const [first, last, id] = span
      if (last < from || first > to) {
        parts.push(span)
        continue
      }
      if (first < from) parts.push([first, from - msPerMinute, id])
      if (first > rest) parts.push([rest, first - msPerMinute, lastTaskId])
      parts.push([Math.max(first, from), Math.min(last, to), Math.max(id, lastTaskId)])
      if (last > to) parts.push([to + msPerMinute, last, id])
      rest = last + msPerMinute
    }
    if (rest <= to) parts.push([rest, to, lastTaskId])
    this.#spans = joined(parts.sort(([a], [b]) => a - b))
    while (this.#spans.length > this.#most) this.#closeNarrowestGap()
  }

  /** What of these minutes comes at or after an instant. */
  from(instant: number): MinuteSpan[] {
    const minute = minuteOf(instant)
    return this.#spans
      .filter(([, to]) => to >= minute)
      .map(([from, to, lastTaskId]) => [Math.max(from, minute), to, lastTaskId])
  }

  #indexOf(instant: number, taskId: number): number {
    const minute = minuteOf(instant)
    const index = this.#spans.findLastIndex(([from]) => from <= minute)
    if (index < 0) return -1
    const [, to, lastTaskId] = this.#spans[index]!
    return minute <= to && taskId <= lastTaskId ? index : -1
  }

  #continues(index: number, taskId: number): boolean {
    const [, to, lastTaskId] = this.#spans[index - 1]!
    return to + msPerMinute >= this.#spans[index]![0] && taskId <= lastTaskId
  }

  #closeNarrowestGap(): void {
    let narrowest = 1
    for (let index = 2; index < this.#spans.length; index++) {
      if (this.#lossOf(index) < this.#lossOf(narrowest)) narrowest = index
    }
    const [[from, , before], [, to, after]] = this.#pairAt(narrowest)
    this.#spans.splice(narrowest - 1, 2, [from, to, Math.max(before, after)])
  }

  /** How much time is taken for handled, by some task at least, when it joins the one before. */
  #lossOf(index: number): number {
    const [before, after] = this.#pairAt(index)
    const gapMs = after[0] - before[1]
    if (before[2] === after[2]) return gapMs
    const [from, to] = before[2] < after[2] ? before : after
    return gapMs + to - from
  }

  #pairAt(index: number): [MinuteSpan, MinuteSpan] {
    return [this.#spans[index - 1]!, this.#spans[index]!]
  }
}

export const minuteOf = (instant: number): number => instant - (instant % msPerMinute)

function joined(parts: readonly MinuteSpan[]): MinuteSpan[] {
  const spans: MinuteSpan[] = []
  for (const part of parts) {
    const last = spans.at(-1)
    const isOne = last !== undefined && last[2] === part[2] && last[1] + msPerMinute >= part[0]
    if (isOne) spans[spans.length - 1] = [last[0], Math.max(last[1], part[1]), part[2]]
    else spans.push(part)
  }
  return spans
}
