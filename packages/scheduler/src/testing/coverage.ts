import { InstantSet, type InstantSpan } from './instant-set.js'

const minuteMs = 60_000

/**
 * Which instants have pulsed already for one task, so that a clock that was set back and passes
 * them again does not make them pulse twice. Three kinds:
 * - watched: they passed while the list was Active, and a start served them. Never again.
 * - doubtful: they pulsed, but no start had served them when the clock was set back; or they passed
 *   while nothing was Active or the task was another one. A scheduler cannot tell that from a
 *   clock that was set forward, so they may pulse again, but need not.
 * - all others never pulsed, and do when they come.
 */
export class Coverage {
  readonly #watched = new InstantSet()
  readonly #doubtful = new InstantSet()
  readonly #madeUp: number[] = []
  #watchedFrom: number | null = null
  #unservedFrom: number | null = null

  /** The instants after this one are watched, until `unwatch`; of its minute some may say so too. */
  watch(from: number): void {
    this.#watchedFrom = from
    this.#doubtful.add(from - (from % minuteMs) - 1, from)
  }

  unwatch(to: number): void {
    if (this.#watchedFrom !== null) this.#watched.add(this.#watchedFrom, to)
    this.#watchedFrom = null
  }

  watchInstant(instant: number): void {
    this.#watched.add(instant - 1, instant)
  }

  /** It was jumped over, and a start will serve it, unless another pulse comes before. */
  makeUpFor(instant: number): void {
    this.watchInstant(instant)
    this.#madeUp.push(instant)
  }

  /** Those that no start has served: nothing is on record of them. */
  doubtMadeUp(): readonly number[] {
    const instants = this.#madeUp.splice(0)
    for (const instant of instants) this.doubtAfter(instant - 1, instant)
    return instants
  }

  doubt({ from, to }: InstantSpan): void {
    this.#doubtful.add(from, to)
  }

  /** Nobody knows of a start that has served anything. */
  doubtWatched(): void {
    for (const { from, to } of [...this.#watched.spans]) {
      this.#watched.remove(from, to)
      this.#doubtful.add(from, to)
    }
    this.#unservedFrom = null
  }

  /** What was watched in this span is doubtful. */
  doubtAfter(from: number, to: number): void {
    if (from >= to) return
    this.#watched.remove(from, to)
    this.#doubtful.add(from, to)
  }

  pulsed(instant: number): void {
    // A scheduler that notices the jump only now takes it for one over this instant as well, the last of it.
    if (this.#unservedFrom !== null) this.doubtMadeUp()
    this.#unservedFrom ??= instant
  }

  /** With the start it is on record what it made up for, so nobody may run for that again. */
  served(): void {
    this.#madeUp.length = 0
    this.#unservedFrom = null
  }

  /** Whether it has passed by in no way at all: neither watched nor doubtful. */
  isUntouched(instant: number): boolean {
    const own = { from: instant - 1, to: instant }
    return this.#watched.outside(own).length > 0 && this.#doubtful.outside(own).length > 0
  }

  mayPulse(span: InstantSpan): InstantSpan[] {
    return this.#watched.outside(span)
  }

  /** Of what may pulse, what has to; `passed` is what the clock went through before at all. */
  mustPulse(spans: readonly InstantSpan[], passed: InstantSet): InstantSpan[] {
    return spans
      .flatMap((span) => passed.outside(span))
      .flatMap((span) => this.#doubtful.outside(span))
  }

  turnBack(from: number, to: number): void {
    if (this.#unservedFrom === null) return
    const first = Math.max(to, this.#unservedFrom - 1)
    this.#watched.remove(first, from)
    this.#doubtful.add(first, from)
    // What pulsed before the clock lands is still to be served, and may be set back over later.
    if (to < this.#unservedFrom) this.#unservedFrom = null
  }
}
