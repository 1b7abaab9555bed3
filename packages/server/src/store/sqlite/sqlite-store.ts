import type Database from 'better-sqlite3'
import { noSystemQuotas, type SystemQuotas } from '../../domain/index.js'
import type { Outcome, Planning } from '../../scheduling/index.js'
import type { Claim, ClaimRequest, RecordAnswer } from '../claim.js'
import { LocalSignals } from '../signals/local-signals.js'
import { adoptClaim, alreadySettled, claimDue, takenOf } from '../sql/claim-transaction.js'
import { recordOutcomes } from '../sql/record-transaction.js'
import type { Sql } from '../sql/sql.js'
import { storedBodies } from '../sql/stored-body.js'
import { systemTables } from '../sql/system-tables.js'
import { nothingYet, tenantTables } from '../sql/tenant-tables.js'
import type { Store } from '../store.js'
import { StoreError } from '../store.js'
import type { SystemTransaction } from '../system-transaction.js'
import type { TenantTransaction } from '../tenant-transaction.js'
import { Readers } from './readers.js'
import { storeError } from './sqlite-error.js'
import { type PreparedHot, prepareHot, sqliteHotStatements } from './sqlite-hot-statements.js'
import { migrateSqlite } from './sqlite-migrate.js'
import { readingWith, readOnly, SqliteStatements } from './sqlite-sql.js'
import { connectWriter, inMemory } from './writer-connection.js'

export interface SqliteOptions {
  /** A file, which is created for its owner alone if it is missing, or `:memory:`. */
  readonly path: string
  readonly now: () => number
  /** Of all tenants together; without them there is no limit. */
  readonly systemQuotas?: SystemQuotas
}

/**
 * Everything in one file. There is one connection that writes, and transactions come one after the
 * other: inside of one nothing is awaited but its own statements, which SQLite executes at once, on
 * the thread that does everything else. So these must be short. What people look at may be large;
 * all of it comes by `read`, and `read` is the one place that sends it to threads that only read.
 */
export function openSqliteStore(options: SqliteOptions): Store {
  const database = connectWriter(options.path)
  const readers = options.path === inMemory ? null : new Readers(options.path)
  return new SqliteStore(database, readers, options)
}

class SqliteStore implements Store {
  readonly name = 'sqlite'
  readonly signals = new LocalSignals()
  readonly #database: Database.Database
  readonly #statements: SqliteStatements
  readonly #now: () => number
  readonly #systemQuotas: SystemQuotas
  /** null: what is in memory is seen by one connection only. */
  readonly #readers: Readers | null
  #hot: PreparedHot | null = null
  #last: Promise<unknown> = Promise.resolve()

  constructor(database: Database.Database, readers: Readers | null, options: SqliteOptions) {
    this.#database = database
    this.#readers = readers
    this.#statements = new SqliteStatements(database)
    this.#now = options.now
    this.#systemQuotas = options.systemQuotas ?? noSystemQuotas
  }

  async migrate(): Promise<void> {
    this.#database.transaction(() => migrateSqlite(this.#database, this.#now())).immediate()
    this.#hot = prepareHot(this.#database)
  }

  async time(): Promise<number> {
    this.#statements.all('SELECT 1')
    return this.#now()
  }

  async claim(request: ClaimRequest, planning: Planning): Promise<Claim> {
    const { replaced, ...claim } = await this.#transaction((now) =>
      claimDue(this.#hotAt(now), request, planning).catch((error) => {
        throw isTaken(error) ? alreadySettled(request.claimId) : error
      }),
    )
    for (const run of replaced) this.signals.abort(run)
    return claim
  }

  settleClaim(claimId: string, planning: Planning): Promise<Claim> {
    return this.#transaction(async (now) => {
      const text = 'SELECT taken FROM claims WHERE claim_id = $1'
      const row = this.#statements.all<{ taken: string | null }>(text, [claimId])[0]
      if (row === undefined) {
        this.#statements.run('INSERT INTO claims (claim_id, at) VALUES ($1, $2)', [claimId, now])
      }
      return adoptClaim(this.#hotAt(now), takenOf(row?.taken ?? null), planning)
    })
  }

  async record(outcomes: readonly Outcome[], planning: Planning): Promise<RecordAnswer> {
    const bodyOf = await storedBodies(outcomes)
    const { answer, kept } = await this.#transaction((now) =>
      recordOutcomes(this.#hotAt(now), outcomes, planning, bodyOf),
    )
    planning.keepMemories(kept)
    return answer
  }

  async tenant<T>(tenantId: string, work: (rows: TenantTransaction) => Promise<T>): Promise<T> {
    const afterwards = nothingYet()
    const answer = await this.#transaction((now) =>
      work(this.#tablesOf(tenantId, this.#statements.at(now, this.#now), afterwards)),
    )
    if (afterwards.wakeAt !== null) this.signals.wake(afterwards.wakeAt)
    for (const run of afterwards.aborted) this.signals.abort(run)
    for (const secret of afterwards.changedSecrets) this.signals.changeSecret(secret)
    return answer
  }

  async read<T>(tenantId: string, work: (rows: TenantTransaction) => Promise<T>): Promise<T> {
    if (this.#readers === null) {
      return this.#transaction((now) =>
        work(this.#tablesOf(tenantId, readOnly(this.#statements, now, this.#now))),
      )
    }
    return this.#readers.read(tenantId, (reader) => {
      const sql = readingWith(reader, this.#now(), this.#now)
      return work(this.#tablesOf(tenantId, sql))
    })
  }

  system<T>(work: (rows: SystemTransaction) => Promise<T>): Promise<T> {
    return this.#transaction((now) =>
      work(systemTables(this.#statements.at(now, this.#now), this.#systemQuotas)),
    )
  }

  async close(): Promise<void> {
    await this.#readers?.close()
    await this.#last
    this.#database.close()
  }

  #hotAt(now: number) {
    this.#hot ??= prepareHot(this.#database)
    return sqliteHotStatements(this.#hot, now, this.#systemQuotas)
  }

  #tablesOf(tenantId: string, sql: Sql, afterwards = nothingYet()): TenantTransaction {
    return tenantTables(sql, tenantId, this.#systemQuotas, afterwards)
  }

  /** After the last one has ended, whatever became of it. */
  #transaction<T>(work: (now: number) => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      this.#begin()
      try {
        const answer = await work(this.#now())
        this.#database.exec('COMMIT')
        return answer
      } catch (error) {
        if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
        throw storeError(error)
      }
    })
    this.#last = turn.catch(() => undefined)
    return turn
  }

  #begin(): void {
    if (!this.#database.open) throw new StoreError('unavailable', 'the store is closed', 'no')
    try {
      this.#database.exec('BEGIN IMMEDIATE')
    } catch (error) {
      throw storeError(error)
    }
  }
}

function isTaken(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === 'SQLITE_CONSTRAINT_PRIMARYKEY' && (message ?? '').includes('claims')
}
