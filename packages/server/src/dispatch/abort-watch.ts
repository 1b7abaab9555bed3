/** What can be cancelled by a signal. */
export interface Cancellable {
  cancel(): void
}

/**
 * One listener for each signal, whoever waits for it. A signal looks through all its listeners
 * whenever one is added or removed, which would take most of the time with ten thousand of them.
 */
export class AbortWatch {
  // A weak map would cost the garbage collector more; whoever is added is always removed.
  readonly #watched = new Map<AbortSignal, Set<Cancellable>>()

  add(signal: AbortSignal, cancellable: Cancellable): void {
    const waiting = this.#watched.get(signal)
    if (waiting !== undefined) {
      waiting.add(cancellable)
      return
    }
    this.#watched.set(signal, new Set([cancellable]))
    signal.addEventListener('abort', this.#aborted)
  }

  remove(signal: AbortSignal, cancellable: Cancellable): void {
    const waiting = this.#watched.get(signal)
    if (waiting === undefined || !waiting.delete(cancellable) || waiting.size > 0) return
    this.#watched.delete(signal)
    signal.removeEventListener('abort', this.#aborted)
  }

  readonly #aborted = (event: Event): void => {
    const waiting = this.#watched.get(event.target as AbortSignal)
    for (const cancellable of [...(waiting ?? [])]) cancellable.cancel()
  }
}
