import type { RunKey } from '../../domain/index.js'
import type { RunEvent, SecretKey, StoreSignals } from '../store.js'

/** Signals within one process. */
export class LocalSignals implements StoreSignals {
  readonly #wake = new Set<(instant: number) => void>()
  readonly #abort = new Set<(run: RunKey) => void>()
  readonly #secret = new Set<(secret: SecretKey) => void>()
  readonly #events = new Map<string, Set<(event: RunEvent) => void>>()

  onWake(listener: (instant: number) => void): () => void {
    return added(this.#wake, listener)
  }

  onAbort(listener: (run: RunKey) => void): () => void {
    return added(this.#abort, listener)
  }

  onSecret(listener: (secret: SecretKey) => void): () => void {
    return added(this.#secret, listener)
  }

  onEvent(tenantId: string, listener: (event: RunEvent) => void): () => void {
    const listeners = this.#events.get(tenantId) ?? new Set()
    this.#events.set(tenantId, listeners)
    const remove = added(listeners, listener)
    return () => {
      remove()
      if (listeners.size === 0) this.#events.delete(tenantId)
    }
  }

  isWanted(tenantId: string): boolean {
    return this.#events.has(tenantId)
  }

  publish(events: readonly RunEvent[]): void {
    for (const event of events) {
      for (const listener of this.#events.get(event.tenantId) ?? []) listener(event)
    }
  }

  /** Tenants that somebody listens to. */
  get tenants(): ReadonlySet<string> {
    return new Set(this.#events.keys())
  }

  wake(instant: number): void {
    for (const listener of this.#wake) listener(instant)
  }

  abort(run: RunKey): void {
    for (const listener of this.#abort) listener(run)
  }

  changeSecret(secret: SecretKey): void {
    for (const listener of this.#secret) listener(secret)
  }
}

function added<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
