import { TenantShare } from './fair-line.js'
import type { Origin } from './origin.js'

/**
 * Origins that have place for someone in their line, who waits because there is no connection to
 * be had. They take turns.
 *
 * An origin is *held up* while all who wait there have used up their shares. It then has no turn,
 * and is kept with these tenants. Once one of them has less than its share, all origins that it
 * holds up have one turn together, so that however many they are, none has to be looked for.
 */
export class Starving {
  readonly #turns = new Set<Origin | TenantShare>()
  readonly #heldUp = new Map<TenantShare, Set<Origin>>()

  /** Whether it knows nobody at all. */
  get isEmpty(): boolean {
    return this.#turns.size === 0 && this.#heldUp.size === 0
  }

  /** For an origin with someone new in line, or with a connection that is no longer in use. */
  note(origin: Origin): void {
    if (origin.hasPlace && !origin.line.isEmpty) this.#turns.add(origin)
  }

  /** For a tenant with one exchange less. */
  noteEnd(share: TenantShare): void {
    if (this.#heldUp.size > 0 && this.#heldUp.has(share)) this.#turns.add(share)
  }

  /** For an origin whose line somebody has left, served or not. */
  noteLeft(origin: Origin, share: TenantShare): void {
    if (this.#heldUp.size > 0 && !origin.line.has(share)) this.#letGo(origin, share)
  }

  /** Whose turn it is. */
  next(): Origin | null {
    if (this.#turns.size === 0) return null
    // What is put at the end of the set is visited by this same loop.
    for (const turn of this.#turns) {
      if (turn instanceof TenantShare) this.#comeBack(turn)
      else if (turn.hasPlace && turn.line.canGoOn) return turn
      else this.#standBack(turn)
    }
    return null
  }

  pass(origin: Origin): void {
    this.#turns.delete(origin)
    this.#turns.add(origin)
  }

  delete(origin: Origin): void {
    this.#turns.delete(origin)
  }

  #standBack(origin: Origin): void {
    this.#turns.delete(origin)
    // Without place it is noted again when one of its connections is no longer in use.
    if (!origin.hasPlace) return
    for (const share of origin.line.shares()) {
      const origins = this.#heldUp.get(share)
      if (origins === undefined) this.#heldUp.set(share, new Set([origin]))
      else origins.add(origin)
    }
  }

  #comeBack(share: TenantShare): void {
    this.#turns.delete(share)
    const origins = this.#heldUp.get(share)
    if (origins === undefined || share.isUsedUp) return
    const [origin] = origins
    this.#letGo(origin!, share)
    this.note(origin!)
    this.noteEnd(share)
  }

  #letGo(origin: Origin, share: TenantShare): void {
    const origins = this.#heldUp.get(share)
    if (!origins?.delete(origin) || origins.size > 0) return
    this.#heldUp.delete(share)
    this.#turns.delete(share)
  }
}
