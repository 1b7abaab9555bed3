import pg from 'pg'
import type { Sql, SqlValue } from '../sql/sql.js'
import { isGivingWay, storeError } from './postgres-error.js'

export interface PostgresOptions {
  readonly url: string
  readonly connections: number
  /** A statement that takes longer is given up. */
  readonly statementTimeoutMs: number
}

/** Whose rows a transaction sees: a tenant's, or everybody's for workers and upkeep. */
export type Scope = { readonly tenantId: string } | 'all'

const int8 = 20

/** Instants and counters are whole numbers well below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
}

/** In milliseconds; not of the transaction's beginning but of the statement. */
export const timeNow = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** Repeated when the database chose this transaction to give way. */
const mostTries = 4

/** Longer than any pause that a process which is alive makes between two statements. */
const idleTransactionMs = 5_000

/**
 * Transactions over a pool. The tenant is set with each transaction and for it alone, so that a
 * connection carries nothing to its next user.
 */
export class Connections {
  readonly #pool: pg.Pool
  /** Where the login would not be subject to row-level security, tenants get a role that is. */
  tenantRole: string | null = null

  constructor(options: PostgresOptions) {
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max: options.connections,
      types,
      statement_timeout: options.statementTimeoutMs,
      // A connection that went silent must not hold its worker for longer than the database would.
      query_timeout: options.statementTimeoutMs + 5_000,
      // A process that stands still must not keep others from what it has locked.
      idle_in_transaction_session_timeout: idleTransactionMs,
      lock_timeout: options.statementTimeoutMs,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      application_name: 'kron',
    })
    // A connection that breaks while it is idle is replaced by the pool. One that breaks between
    // two statements fails the next of them. Without listeners either would end the process.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  async transaction<T>(scope: Scope, work: (open: OpenTransaction) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#once(scope, work)
      } catch (error) {
        if (tries === mostTries || !isGivingWay(error)) throw error
      }
    }
  }

  async query<Row>(text: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    try {
      return (await this.#pool.query(text, [...parameters])).rows as Row[]
    } catch (error) {
      throw storeError(error, 'unknown')
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #once<T>(scope: Scope, work: (open: OpenTransaction) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error) => {
      throw storeError(error, 'no')
    })
    let isCommitting = false
    try {
      const now = await this.#begin(client, scope)
      const answer = await work(new OpenTransaction(client, now))
      isCommitting = true
      const { command } = await client.query('COMMIT')
      // A transaction that failed before ends with ROLLBACK, and says so without an error.
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
      client.release()
      return answer
    } catch (error) {
      await giveBack(client)
      throw storeError(error, isCommitting ? 'unknown' : 'no')
    }
  }

  /** One round trip: begin, whose rows, what time it is. */
  async #begin(client: pg.PoolClient, scope: Scope): Promise<number> {
    const tenantId = scope === 'all' ? '' : scope.tenantId
    const role = scope === 'all' || this.tenantRole === null ? '' : this.tenantRole
    const answer: unknown = await client.query(`BEGIN;
      ${role === '' ? '' : `SET LOCAL ROLE ${client.escapeIdentifier(role)};`}
      SELECT set_config('kron.tenant', ${client.escapeLiteral(tenantId)}, true),
        set_config('kron.scope', '${scope === 'all' ? 'all' : 'tenant'}', true),
        ${timeNow} AS now`)
    const results = answer as pg.QueryResult<{ now: number }>[]
    return results.at(-1)!.rows[0]!.now
  }
}

/** A connection that can't even roll back is not used again. */
async function giveBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK')
    client.release()
  } catch (error) {
    client.release(error as Error)
  }
}

export class OpenTransaction implements Sql {
  readonly dialect = 'postgres'
  readonly now: number
  readonly #client: pg.PoolClient

  constructor(client: pg.PoolClient, now: number) {
    this.#client = client
    this.now = now
  }

  async all<Row>(text: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return (await this.#client.query(text, [...parameters])).rows as Row[]
  }

  async run(text: string, parameters: readonly SqlValue[] = []): Promise<number> {
    return (await this.#client.query(text, [...parameters])).rowCount ?? 0
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
    const { rows, rowCount } = await this.#client.query({ name, text, values: [...values] })
    return { rows: rows as Row[], count: rowCount ?? 0 }
  }

  async notify(channel: string, payloads: readonly string[]): Promise<void> {
    if (payloads.length === 0) return
    const text = 'SELECT count(pg_notify($1, payload)) FROM unnest($2::text[]) AS payload'
    await this.#client.query(text, [channel, [...payloads]])
  }
}
