import pg from 'pg'
import { keptAlive } from './connection-pool.js'

export interface ListeningOptions {
  readonly url: string
  readonly channels: readonly string[]
  readonly onMessage: (channel: string, payload: string) => void
  /** After each time that it began to listen: what was said before was not heard. */
  readonly onListening: () => void
  /** How often the connection is tried out: one that went silent sounds like one without news. */
  readonly heartbeatMs?: number
  /** How long it has for an answer, or to be opened. */
  readonly answerMs?: number
  readonly reconnectMs?: number
}

/** A connection that only listens, opened again when it breaks or goes silent. */
export class ListeningConnection {
  readonly #options: Required<ListeningOptions>
  #client: pg.Client | null = null
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: ListeningOptions) {
    this.#options = { heartbeatMs: 10_000, answerMs: 5_000, reconnectMs: 1_000, ...options }
  }

  /** Resolves when it listens, or has failed for the first time. */
  async open(): Promise<void> {
    const { url, channels, answerMs, onMessage, onListening } = this.#options
    const client = new pg.Client({
      ...keptAlive,
      connectionString: url,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      application_name: 'kron',
    })
    this.#client = client
    client.on('notification', ({ channel, payload }) => onMessage(channel, payload ?? ''))
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    try {
      await client.connect()
      for (const channel of channels) await client.query(`LISTEN ${channel}`)
    } catch {
      this.#lost(client)
      return
    }
    if (this.#client !== client) return
    this.#later(this.#options.heartbeatMs, () => this.#beat(client))
    onListening()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#client = null
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (client === null) return
    const tooLong = setTimeout(() => cut(client), this.#options.answerMs)
    await client.end().catch(() => undefined)
    clearTimeout(tooLong)
  }

  async #beat(client: pg.Client): Promise<void> {
    try {
      await client.query('SELECT 1')
    } catch {
      this.#lost(client)
    }
    if (this.#client === client) this.#later(this.#options.heartbeatMs, () => this.#beat(client))
  }

  #lost(client: pg.Client): void {
    cut(client)
    if (this.#client !== client) return
    this.#client = null
    if (!this.#isClosed) this.#later(this.#options.reconnectMs, () => this.open())
  }

  #later(ms: number, work: () => Promise<void>): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void work(), ms).unref()
  }
}

const cut = (client: pg.Client): void => void client.connection.stream.destroy()
