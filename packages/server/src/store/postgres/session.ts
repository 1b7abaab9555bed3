import type pg from 'pg'
import { StoreError } from '../store.js'
import { isSilence, statementError } from './postgres-error.js'

interface TimedQuery extends pg.QueryConfig {
  query_timeout?: number
}

/** A connection while somebody has it. What the driver throws leaves it as the store's error. */
export class Session {
  readonly client: pg.PoolClient
  readonly #silenceMs: number
  #isLost = false
  #silentSince: number | null = null

  constructor(client: pg.PoolClient, silenceMs: number) {
    this.client = client
    this.#silenceMs = silenceMs
  }

  /** Whether nobody can use the connection any more. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** When the statement was sent that nothing came back for. */
  get silentSince(): number | null {
    return this.#silentSince
  }

  /** `maxMs` is what the database may take; it has a little longer to say that it was too long. */
  async ask<Row extends pg.QueryResultRow>(
    query: pg.QueryConfig,
    maxMs: number,
    applied: 'no' | 'unknown' = 'no',
  ): Promise<pg.QueryResult<Row>> {
    const timed: TimedQuery = { ...query }
    if (Number.isFinite(maxMs)) timed.query_timeout = maxMs + this.#silenceMs
    const askedAt = performance.now()
    try {
      return await this.client.query<Row>(timed)
    } catch (cause) {
      const error = statementError(cause, applied)
      if (error instanceof StoreError && error.code === 'unavailable') this.#isLost = true
      if (isSilence(cause)) this.#silentSince = askedAt
      throw error
    }
  }

  /** A connection that is lost is not asked: of one that is silent no answer would come either. */
  async rollBack(): Promise<void> {
    if (this.#isLost) return
    try {
      await this.ask({ text: 'ROLLBACK' }, 0)
    } catch {
      this.#isLost = true
    }
  }
}
