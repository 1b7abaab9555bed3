import { type RunKey, randomText } from '../../domain/index.js'
import { LocalSignals } from '../signals/local-signals.js'
import type { RunEvent, SecretKey, StoreSignals } from '../store.js'
import { ListeningConnection } from './listening-connection.js'
import {
  channels,
  eventsText,
  readAbort,
  readEvents,
  readInterest,
  readSaying,
  readSecret,
  readWake,
  sayingText,
} from './notifications.js'

/** Payloads have at most 8,000 bytes. */
const maxPayload = 7_000
const interestMs = 90_000
const refreshMs = 30_000

/**
 * Signals between processes, over LISTEN and NOTIFY. They only save time: who misses one finds the
 * same with its next poll. Events are sent only for tenants that somebody listens to.
 */
export class PostgresSignals implements StoreSignals {
  readonly #local = new LocalSignals()
  readonly #connection: ListeningConnection
  readonly #notify: (channel: string, payload: string) => Promise<void>
  readonly #origin = randomText(8)
  /** Until when other processes want a tenant's events. */
  readonly #wanted = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null

  constructor(url: string, notify: (channel: string, payload: string) => Promise<void>) {
    this.#notify = notify
    this.#connection = new ListeningConnection({
      url,
      channels: Object.values(channels),
      onMessage: (channel, payload) => this.#receive(channel, payload),
      onListening: () => {
        // Whatever was said while nobody listened is made up for by looking once.
        this.#local.wake(0)
        this.#refresh()
      },
    })
  }

  onWake(listener: (instant: number) => void): () => void {
    return this.#local.onWake(listener)
  }

  onAbort(listener: (run: RunKey) => void): () => void {
    return this.#local.onAbort(listener)
  }

  onSecret(listener: (secret: SecretKey) => void): () => void {
    return this.#local.onSecret(listener)
  }

  onEvent(tenantId: string, listener: (event: RunEvent) => void): () => void {
    const remove = this.#local.onEvent(tenantId, listener)
    this.#say(channels.interest, tenantId)
    return remove
  }

  isWanted(tenantId: string): boolean {
    return this.#local.isWanted(tenantId) || this.#wanted.has(tenantId)
  }

  publish(events: readonly RunEvent[]): void {
    this.#local.publish(events)
    if (this.#wanted.size === 0) return
    const now = performance.now()
    let part: RunEvent[] = []
    let size = 0
    for (const event of events) {
      if ((this.#wanted.get(event.tenantId) ?? 0) < now) continue
      const length = event.subject.length + 160
      if (size + length > maxPayload) {
        this.#sendEvents(part)
        part = []
        size = 0
      }
      part.push(event)
      size += length
    }
    if (part.length > 0) this.#sendEvents(part)
  }

  /** Resolves when it is connected or can't be yet; it goes on trying. */
  async listen(): Promise<void> {
    this.#timer ??= setInterval(() => this.#refresh(), refreshMs).unref()
    await this.#connection.open()
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#connection.close()
  }

  #refresh(): void {
    for (const tenantId of this.#local.tenants) {
      this.#say(channels.interest, tenantId)
    }
    const now = performance.now()
    for (const [tenantId, until] of this.#wanted) {
      if (until < now) this.#wanted.delete(tenantId)
    }
  }

  #receive(channel: string, payload: string): void {
    if (channel === channels.wake) {
      const instant = readWake(payload)
      if (instant !== null) this.#local.wake(instant)
    } else if (channel === channels.abort) {
      const run = readAbort(payload)
      if (run !== null) this.#local.abort(run)
    } else if (channel === channels.secret) {
      const secret = readSecret(payload)
      if (secret !== null) this.#local.changeSecret(secret)
    } else {
      const saying = readSaying(payload)
      if (saying !== null && saying.origin !== this.#origin) this.#hear(channel, saying.said)
    }
  }

  #hear(channel: string, said: string): void {
    if (channel === channels.events) this.#local.publish(readEvents(said))
    else if (channel === channels.interest) {
      const tenantId = readInterest(said)
      if (tenantId !== null) this.#wanted.set(tenantId, performance.now() + interestMs)
    }
  }

  #sendEvents(events: readonly RunEvent[]): void {
    this.#say(channels.events, eventsText(events))
  }

  #say(channel: string, said: string): void {
    this.#notify(channel, sayingText({ origin: this.#origin, said })).catch(() => undefined)
  }
}
