import pg from 'pg'
import { createDatabase, dropDatabase } from '../../../tools/postgres/index.ts'
import { openPostgresStore, type PostgresOptions } from '../src/store/postgres/postgres-store.js'
import { World } from './store/world-conformance.js'

/** A database with a store on it, and connections that come from outside. */
export class OwnDatabase {
  url!: string
  admin!: pg.Client
  /** One more connection, for what another process would do. */
  other!: pg.Client
  world!: World
  readonly #server: string
  readonly #options: Partial<PostgresOptions>

  constructor(server: string | null, options: Partial<PostgresOptions> = {}) {
    this.#server = server ?? ''
    this.#options = options
  }

  readonly open = async (): Promise<void> => {
    this.url = await createDatabase(this.#server)
    const store = openPostgresStore({ ...this.#options, url: this.url })
    await store.migrate()
    this.world = new World(store)
    this.admin = new pg.Client(this.url)
    this.other = new pg.Client(this.url)
    await Promise.all([this.admin.connect(), this.other.connect()])
  }

  readonly close = async (): Promise<void> => {
    await Promise.all([this.admin.end(), this.other.end()])
    await this.world.store.close()
    await dropDatabase(this.#server, this.url)
  }

  /** Resolves when a transaction of the database waits for another one's rows. */
  async somebodyWaits(): Promise<void> {
    const text = `SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    let waiting = 0
    while (waiting === 0) {
      waiting = (await this.admin.query<{ waiting: number }>(text)).rows[0]!.waiting
    }
  }

  /** Of the connections of that name: counts are written when one of them ends, at the latest. */
  async deadlocksOf(name: string): Promise<number> {
    const open = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = $1`
    while ((await this.admin.query(open, [name])).rowCount! > 0);
    const text = `SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`
    return (await this.admin.query<{ deadlocks: number }>(text)).rows[0]!.deadlocks
  }
}
