import { noSystemQuotas, type SystemQuotas } from '../../domain/index.js'
import type { Outcome, Planning } from '../../scheduling/index.js'
import type { Claim, ClaimRequest, RecordAnswer } from '../claim.js'
import { adoptClaim, claimDue, takenOf } from '../sql/claim-transaction.js'
import type { HotStatements } from '../sql/hot-statements.js'
import { type RecordedOutcomes, recordOutcomes } from '../sql/record-transaction.js'
import { storedBodies } from '../sql/stored-body.js'
import { systemTables } from '../sql/system-tables.js'
import { type Afterwards, nothingYet, tenantTables } from '../sql/tenant-tables.js'
import type { Store } from '../store.js'
import type { SystemTransaction } from '../system-transaction.js'
import type { TenantTransaction } from '../tenant-transaction.js'
import type { PoolOptions } from './connection-pool.js'
import { Connections, type OpenTransaction, timeNow } from './connections.js'
import { abortText, channels, secretText } from './notifications.js'
import { Patience } from './patience.js'
import { postgresHotStatements } from './postgres-hot-statements.js'
import { migratePostgres } from './postgres-migrate.js'
import { PostgresSignals } from './postgres-signals.js'

/** Counters of a tenant are spread over as many rows, so that workers don't wait for each other. */
const usageShards = 16

export interface PostgresOptions extends PoolOptions {
  /** Whether there are claims and records, which then have connections to themselves. */
  readonly hasWorker: boolean
  /** Statements of claims and records are given up after this at first: they are tried again. */
  readonly hotTimeoutMs: number
  /** Of all tenants together. */
  readonly systemQuotas: SystemQuotas
}

/** One claims, three record: more than a worker uses at once would be of no use to it. */
const maxOfWorker = 4

/** Of one connection nothing can be set aside. */
const connectionsOfWorker = ({ connections, hasWorker }: PostgresOptions): number =>
  hasWorker ? Math.min(maxOfWorker, Math.floor(connections / 2)) : 0

const defaultOptions: Omit<PostgresOptions, 'url'> = {
  connections: 10,
  hasWorker: true,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 30_000,
  hotTimeoutMs: 6_000,
  silenceMs: 4_000,
  systemQuotas: noSystemQuotas,
}

export function openPostgresStore(
  options: Pick<PostgresOptions, 'url'> & Partial<PostgresOptions>,
): Store {
  return new PostgresStore({ ...defaultOptions, ...options })
}

class PostgresStore implements Store {
  readonly name = 'postgres'
  readonly signals: PostgresSignals
  readonly #connections: Connections
  /** Of claims and records, so that no number of slow calls can keep a worker waiting. */
  readonly #hot: Connections
  readonly #claims: Patience
  readonly #records: Patience
  readonly #systemQuotas: SystemQuotas
  readonly #shard = Math.floor(Math.random() * usageShards)

  constructor(options: PostgresOptions) {
    const { url, hotTimeoutMs, statementTimeoutMs } = options
    const reserved = connectionsOfWorker(options)
    this.#systemQuotas = options.systemQuotas
    this.#connections = new Connections({ ...options, connections: options.connections - reserved })
    this.#hot =
      reserved === 0 ? this.#connections : new Connections({ ...options, connections: reserved })
    this.#claims = new Patience(hotTimeoutMs, statementTimeoutMs)
    this.#records = new Patience(hotTimeoutMs, statementTimeoutMs)
    this.signals = new PostgresSignals(url, async (channel, payload) => {
      await this.#connections.query('SELECT pg_notify($1, $2)', [channel, payload])
    })
  }

  async migrate(): Promise<void> {
    await migratePostgres(this.#connections)
    await this.signals.listen()
  }

  async time(): Promise<number> {
    return (await this.#connections.query<{ now: number }>(`SELECT ${timeNow} AS now`))[0]!.now
  }

  claim(request: ClaimRequest, planning: Planning): Promise<Claim> {
    const work = async (open: OpenTransaction): Promise<Claim> => {
      const statements = this.#hotStatements(open)
      const { replaced, ...claim } = await claimDue(statements, request, planning)
      await open.notify(channels.abort, replaced.map(abortText))
      return claim
    }
    return this.#hot.transaction('all', work, this.#claims)
  }

  settleClaim(claimId: string, planning: Planning): Promise<Claim> {
    const work = async (open: OpenTransaction): Promise<Claim> => {
      // Waits for the claim if it is still about to commit; from here on it can't any more.
      const text = `INSERT INTO claims (claim_id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING`
      await open.run(text, [claimId, open.now])
      const [row] = await open.all<{ taken: string | null }>(
        'SELECT taken FROM claims WHERE claim_id = $1',
        [claimId],
      )
      const statements = this.#hotStatements(open)
      return adoptClaim(statements, takenOf(row?.taken ?? null), planning)
    }
    return this.#hot.transaction('all', work, this.#claims)
  }

  async record(outcomes: readonly Outcome[], planning: Planning): Promise<RecordAnswer> {
    const bodyOf = await storedBodies(outcomes)
    const work = (open: OpenTransaction): Promise<RecordedOutcomes> =>
      recordOutcomes(this.#hotStatements(open), outcomes, planning, bodyOf)
    const { answer, kept } = await this.#hot.transaction('all', work, this.#records)
    planning.keepMemories(kept)
    return answer
  }

  tenant<T>(tenantId: string, work: (rows: TenantTransaction) => Promise<T>): Promise<T> {
    return this.#connections.transaction({ tenantId }, async (open) => {
      const afterwards = nothingYet()
      const answer = await work(tenantTables(open, tenantId, this.#systemQuotas, afterwards))
      await tell(open, afterwards)
      return answer
    })
  }

  read<T>(tenantId: string, work: (rows: TenantTransaction) => Promise<T>): Promise<T> {
    return this.#connections.transaction({ tenantId, readOnly: true }, (open) =>
      work(tenantTables(open, tenantId, this.#systemQuotas, nothingYet())),
    )
  }

  system<T>(work: (rows: SystemTransaction) => Promise<T>): Promise<T> {
    return this.#connections.transaction('all', (open) =>
      work(systemTables(open, this.#systemQuotas)),
    )
  }

  async close(): Promise<void> {
    await this.signals.close()
    await this.#connections.close()
    if (this.#hot !== this.#connections) await this.#hot.close()
  }

  #hotStatements(open: OpenTransaction): HotStatements {
    return postgresHotStatements(open, this.#shard, this.#systemQuotas)
  }
}

/** Inside of the transaction: PostgreSQL delivers what was said when it commits, or not at all. */
async function tell(open: OpenTransaction, afterwards: Afterwards): Promise<void> {
  const { wakeAt, aborted, changedSecrets } = afterwards
  if (wakeAt !== null) await open.notify(channels.wake, [String(wakeAt)])
  await open.notify(channels.abort, aborted.map(abortText))
  await open.notify(channels.secret, changedSecrets.map(secretText))
}
