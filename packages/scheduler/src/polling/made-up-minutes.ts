import { type MinuteSpan, MinuteSpans } from './minute-spans.js'

const maxSpans = 32

/**
 * The minutes that one task ran for when they were over: after a downtime, a delay, or a step of the
 * clock. No time that was watched shows them, so the record of a task does, as text. It is written
 * with the start of that run, before the callback is called: dying before, nothing has run; dying
 * after, the next scheduler knows, should the clock be set back and the minute come after all.
 */
export class MadeUpMinutes {
  readonly #spans: MinuteSpans

  private constructor(spans: Iterable<MinuteSpan>) {
    this.#spans = new MinuteSpans(maxSpans, spans)
  }

  /** Of text that `toString` wrote; what can't be read is nothing. */
  static parse(text: string | null): MadeUpMinutes {
    const words = (text ?? '').split(' ').filter((word) => /^-?\d+(\.\.-?\d+)?$/.test(word))
    const spans = words.map((word): MinuteSpan => {
      const [from, to = from] = word.split('..').map(Number) as [number, number?]
      return [from, to, 0]
    })
    return new MadeUpMinutes(spans)
  }

  has(minute: number): boolean {
    return this.#spans.has(minute, 0)
  }

  /** Where the minutes without a gap begin that this one is in. */
  startOf(minute: number): number | null {
    return this.#spans.startOf(minute, 0)
  }

  with(minute: number): MadeUpMinutes {
    return new MadeUpMinutes([...this.#spans.spans, [minute, minute, 0]])
  }

  toString(): string {
    const words = this.#spans.spans.map(([from, to]) => (from === to ? from : `${from}..${to}`))
    return words.join(' ')
  }
}
