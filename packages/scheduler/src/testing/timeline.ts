import { latestInstant } from '@kron/core'
import type { Moment, Position } from './moment.js'
import type { TraceEvent } from './trace.js'

/** A part of the trace in which nobody set the clock. */
export interface Stretch {
  readonly from: Moment
  readonly to: Moment
}

export interface Timeline {
  /** One for each event; at a ClockStep before the clock is set. */
  readonly positions: readonly Position[]
  readonly end: Position
  /** Where the ClockStep with this index leads to. */
  readonly landings: ReadonlyMap<number, Moment>
  readonly stretches: readonly Stretch[]
  /** What is wrong with the times of the event with this index, or of the end. */
  readonly flaws: ReadonlyMap<number, readonly string[]>
}

/** Reads off when everything happened, by the wall clock and by the time that really passed. */
export function timelineOf(trace: readonly TraceEvent[], endAt: number | undefined): Timeline {
  const reader = new TimelineReader(trace.find(({ at }) => isInstant(at))?.at ?? 0)
  for (const event of trace) reader.read(event)
  return reader.finish(endAt)
}

class TimelineReader {
  readonly #positions: Position[] = []
  readonly #landings = new Map<number, Moment>()
  readonly #stretches: Stretch[] = []
  readonly #flaws = new Map<number, string[]>()
  #now: Moment
  #stretchFrom: Moment

  constructor(start: number) {
    this.#now = { wall: start, elapsed: 0 }
    this.#stretchFrom = this.#now
  }

  read(event: TraceEvent): void {
    const index = this.#positions.length
    const flaw = this.#flawOf(event.at)
    if (flaw === null) this.#advanceTo(event.at)
    else this.#addFlaw(index, flaw)
    this.#positions.push({ index, ...this.#now })
    if (event.event === 'ClockStep') this.#step(event.to, index)
  }

  finish(endAt: number | undefined): Timeline {
    const index = this.#positions.length
    const flaw = endAt === undefined ? null : this.#flawOf(endAt)
    if (flaw !== null) this.#addFlaw(index, `endAt: ${flaw}`)
    else if (endAt !== undefined) this.#advanceTo(endAt)
    this.#stretches.push({ from: this.#stretchFrom, to: this.#now })
    return {
      positions: this.#positions,
      end: { index, ...this.#now },
      landings: this.#landings,
      stretches: this.#stretches,
      flaws: this.#flaws,
    }
  }

  #advanceTo(wall: number): void {
    this.#now = { wall, elapsed: this.#now.elapsed + wall - this.#now.wall }
  }

  #step(to: number, index: number): void {
    if (!isInstant(to)) {
      this.#addFlaw(index, `the clock cannot be set to ${to}, which is no whole number`)
    } else {
      this.#stretches.push({ from: this.#stretchFrom, to: this.#now })
      this.#now = { wall: to, elapsed: this.#now.elapsed }
      this.#stretchFrom = this.#now
    }
    this.#landings.set(index, this.#now)
  }

  #addFlaw(index: number, message: string): void {
    this.#flaws.set(index, [...(this.#flaws.get(index) ?? []), message])
  }

  /** A flawed time is read as that of the event before, which spoils the least of what follows. */
  #flawOf(at: number): string | null {
    if (!isInstant(at)) return `the time ${at} is no whole number of milliseconds`
    if (at >= this.#now.wall) return null
    return `the time goes back by ${this.#now.wall - at} ms without a ClockStep`
  }
}

function isInstant(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= latestInstant
}
