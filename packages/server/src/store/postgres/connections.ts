import pg from 'pg'
import type { Sql, SqlValue } from '../sql/sql.js'
import { StoreError } from '../store.js'
import { ConnectionPool, type PoolOptions } from './connection-pool.js'
import { Patience } from './patience.js'
import { isGivingWay } from './postgres-error.js'
import { Session } from './session.js'

/** Whose rows a transaction sees: a tenant's, or everybody's for workers and upkeep. */
export type Scope = { readonly tenantId: string; readonly readOnly?: true } | 'all'

/** In milliseconds; not of the transaction's beginning but of the statement. */
export const timeNow = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** Repeated when the database chose this transaction to give way. */
const maxTries = 4

/** What is neither searched nor waited for: its answer is due at once. */
const atOnceMs = 0

/**
 * Transactions over a pool. The tenant is set with each transaction and for it alone, so that a
 * connection carries nothing to its next user.
 */
export class Connections {
  readonly #pool: ConnectionPool
  readonly #silenceMs: number
  readonly #defaultPatience: Patience
  /** Where the login would not be subject to row-level security, tenants get a role that is. */
  tenantRole: string | null = null

  constructor(options: PoolOptions) {
    this.#pool = new ConnectionPool(options)
    this.#silenceMs = options.silenceMs
    this.#defaultPatience = new Patience(options.statementTimeoutMs)
  }

  async transaction<T>(
    scope: Scope,
    work: (open: OpenTransaction) => Promise<T>,
    patience: Patience = this.#defaultPatience,
  ): Promise<T> {
    for (let tries = 1; ; tries++) {
      const from = performance.now()
      try {
        const answer = await this.#once(scope, work, patience.ms)
        patience.wasEnough(performance.now() - from)
        return answer
      } catch (error) {
        if (error instanceof StoreError && error.code === 'timeout') patience.wasTooLittle()
        if (tries === maxTries || !isGivingWay(error)) throw error
      }
    }
  }

  /** A statement that takes no time and waits for nobody. */
  query<Row extends pg.QueryResultRow>(text: string, values: SqlValue[] = []): Promise<Row[]> {
    return this.#with(async (session) => {
      return (await session.ask<Row>({ text, values }, atOnceMs, 'unknown')).rows
    })
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #once<T>(
    scope: Scope,
    work: (open: OpenTransaction) => Promise<T>,
    statementMs: number,
  ): Promise<T> {
    return this.#with(async (session) => {
      try {
        const now = await this.#begin(session, scope, statementMs)
        const answer = await work(new OpenTransaction(session, statementMs, now))
        const { command } = await session.ask({ text: 'COMMIT' }, statementMs, 'unknown')
        // A transaction that failed before ends with ROLLBACK, and says so without an error.
        if (command === 'COMMIT') return answer
        throw new StoreError('broken', 'PostgreSQL: the transaction was rolled back', 'no')
      } catch (error) {
        await session.rollBack()
        throw error
      }
    })
  }

  async #with<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#pool.take()
    const session = new Session(client, this.#silenceMs)
    try {
      return await work(session)
    } finally {
      if (session.silentSince !== null) this.#pool.distrustBefore(session.silentSince)
      if (session.isLost) this.#pool.drop(client)
      else this.#pool.giveBack(client)
    }
  }

  /** One round trip: begin, for how long, whose rows, what time it is. */
  async #begin(session: Session, scope: Scope, statementMs: number): Promise<number> {
    const tenantId = scope === 'all' ? '' : scope.tenantId
    const role = scope === 'all' || this.tenantRole === null ? '' : this.tenantRole
    const isReading = scope !== 'all' && scope.readOnly === true
    const text = `BEGIN${isReading ? ' READ ONLY' : ''};
      ${role === '' ? '' : `SET LOCAL ROLE ${pg.escapeIdentifier(role)};`}
      ${limits(statementMs)}
      SELECT set_config('kron.tenant', ${pg.escapeLiteral(tenantId)}, true),
        set_config('kron.scope', '${scope === 'all' ? 'all' : 'tenant'}', true),
        ${timeNow} AS now`
    const answer: unknown = await session.ask({ text }, atOnceMs)
    const results = answer as pg.QueryResult<{ now: number }>[]
    return results.at(-1)!.rows[0]!.now
  }
}

/** Who may take as long as he likes may also take long between two statements. */
function limits(statementMs: number): string {
  const ms = Number.isFinite(statementMs) ? statementMs : 0
  const both = `SET LOCAL statement_timeout = ${ms}; SET LOCAL lock_timeout = ${ms};`
  return ms === 0 ? `${both} SET LOCAL idle_in_transaction_session_timeout = 0;` : both
}

export class OpenTransaction implements Sql {
  readonly dialect = 'postgres'
  readonly now: number
  readonly #session: Session
  readonly #statementMs: number

  constructor(session: Session, statementMs: number, now: number) {
    this.#session = session
    this.#statementMs = statementMs
    this.now = now
  }

  async all<Row>(text: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return (await this.#ask({ text, values: [...parameters] })).rows as Row[]
  }

  async run(text: string, parameters: readonly SqlValue[] = []): Promise<number> {
    return (await this.#ask({ text, values: [...parameters] })).rowCount ?? 0
  }

  async time(): Promise<number> {
    return (await this.all<{ now: number }>(`SELECT ${timeNow} AS now`))[0]!.now
  }

  /** A statement that is prepared once for each connection. */
  async prepared<Row>(
    name: string,
    text: string,
    values: readonly SqlValue[],
  ): Promise<{ readonly rows: Row[]; readonly count: number }> {
    const { rows, rowCount } = await this.#ask({ name, text, values: [...values] })
    return { rows: rows as Row[], count: rowCount ?? 0 }
  }

  async notify(channel: string, payloads: readonly string[]): Promise<void> {
    if (payloads.length === 0) return
    const text = 'SELECT count(pg_notify($1, payload)) FROM unnest($2::text[]) AS payload'
    await this.#ask({ text, values: [channel, [...payloads]] })
  }

  #ask(query: pg.QueryConfig): Promise<pg.QueryResult> {
    return this.#session.ask(query, this.#statementMs)
  }
}
