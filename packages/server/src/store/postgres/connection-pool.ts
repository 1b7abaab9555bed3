import pg from 'pg'
import { connectError } from './postgres-error.js'

export interface PoolOptions {
  readonly url: string
  readonly connections: number
  /** For a new connection, or for somebody to give one back. */
  readonly connectTimeoutMs: number
  /** A statement that takes longer is given up. */
  readonly statementTimeoutMs: number
  /** A connection that owes an answer for so long is taken for dead. */
  readonly silenceMs: number
}

const int8 = 20

/** Instants and counters are whole numbers well below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
}

/** Longer than any pause that a process which is alive makes between two statements. */
const idleTransactionMs = 5_000

/** The kernel asks the other side whether it is there once nothing came for this long. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const

/**
 * Connections to the database. When one goes silent, others that lay idle meanwhile mostly have
 * too: none of them is handed out again, so that this is noticed once and not once for each.
 */
export class ConnectionPool {
  readonly #pool: pg.Pool
  readonly #silenceMs: number
  readonly #open = new Set<pg.PoolClient>()
  readonly #heardAt = new WeakMap<pg.PoolClient, number>()
  #distrustedBefore = Number.NEGATIVE_INFINITY

  constructor(options: PoolOptions) {
    this.#silenceMs = options.silenceMs
    this.#pool = new pg.Pool({
      ...keptAlive,
      connectionString: options.url,
      max: options.connections,
      types,
      statement_timeout: options.statementTimeoutMs,
      lock_timeout: options.statementTimeoutMs,
      // A process that stands still must not keep others from what it has locked.
      idle_in_transaction_session_timeout: idleTransactionMs,
      connectionTimeoutMillis: options.connectTimeoutMs,
      application_name: 'kron',
    })
    // A connection that breaks while it is idle is replaced by the pool. One that breaks between
    // two statements fails the next of them. Without listeners either would end the process.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined)
      this.#open.add(client)
    })
    this.#pool.on('remove', (client) => this.#open.delete(client))
  }

  async take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect().catch((error) => {
        throw connectError(error)
      })
      const heardAt = this.#heardAt.get(client) ?? performance.now()
      if (heardAt >= this.#distrustedBefore) return client
      this.drop(client)
    }
  }

  giveBack(client: pg.PoolClient): void {
    this.#heardAt.set(client, performance.now())
    client.release()
  }

  /** Closes it without a word: to say good-bye to a connection that is dead takes minutes. */
  drop(client: pg.PoolClient): void {
    client.release(true)
    cut(client)
  }

  /** Those that were not heard of since then are not handed out any more. */
  distrustBefore(instant: number): void {
    this.#distrustedBefore = Math.max(this.#distrustedBefore, instant)
  }

  async close(): Promise<void> {
    await this.#pool.end()
    // What has not closed by then never will, and would keep the process from ending.
    setTimeout(() => this.#open.forEach(cut), this.#silenceMs).unref()
  }
}

const cut = (client: pg.PoolClient): void => void client.connection.stream.destroy()
