import { type Dialect, tenantTables } from '../schema/migrations.js'
import {
  ledgerOf,
  ledgers,
  missingMigrations,
  planUnplanned,
} from '../schema/missing-migrations.js'
import type { Connections, OpenTransaction } from './connections.js'
import { endlessPatience } from './patience.js'

/** Any number, the same in every process that migrates. */
const migrationLock = 7_077_001
const tenantRole = 'kron_tenant'

/** Updates of runs and plans find room in their page, and leave the indexes alone. */
const words = {
  name: 'postgres',
  bytes: 'bytea',
  roomForUpdates: 'WITH (fillfactor = 60)',
  jsonText: (column, path) => `CAST(${column} AS json) #>> '{${path.join(',')}}'`,
  generated: 'STORED',
} as const satisfies Omit<Dialect, 'now'>

/** Brings the schema up to date, and says which role tenants are to have. */
export async function migratePostgres(connections: Connections): Promise<void> {
  const migrate = async (open: OpenTransaction): Promise<void> => {
    await open.all('SELECT pg_advisory_xact_lock($1)', [migrationLock])
    for (const ledger of ledgers) await open.run(ledger)
    const versions = async (table: string): Promise<number[]> =>
      (await open.all<{ version: number }>(`SELECT version FROM ${table}`)).map(
        (row) => row.version,
      )
    const applied = {
      breaking: await versions('migrations'),
      additions: await versions('additions'),
    }
    const dialect: Dialect = { ...words, now: open.now }
    for (const migration of missingMigrations(applied)) {
      for (const statement of migration.statements(dialect)) await open.run(statement)
      const text = `INSERT INTO ${ledgerOf(migration)} (version) VALUES ($1)`
      await open.run(text, [migration.version])
    }
    await open.run(planUnplanned, [open.now])
    await secureTables(open)
    connections.tenantRole = await roleForTenants(open)
  }
  // A large table takes as long as it takes, and processes that start meanwhile wait for the lock.
  await connections.transaction('all', migrate, endlessPatience)
}

/**
 * The second wall: a query that forgot its tenant finds nothing. Forced, so that it holds for the
 * owner of the tables as well.
 */
async function secureTables(open: OpenTransaction): Promise<void> {
  const secured = await open.all<{ relname: string }>(
    `SELECT relname FROM pg_class JOIN pg_policy ON polrelid = pg_class.oid
     WHERE relrowsecurity AND relforcerowsecurity AND relnamespace = current_schema()::regnamespace`,
  )
  const done = new Set(secured.map(({ relname }) => relname))
  for (const table of tenantTables) {
    if (done.has(table)) continue
    await open.run(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`)
    await open.run(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`)
    // Who lifts the security of a table, to dump it perhaps, leaves the policy there.
    await open.run(`DROP POLICY IF EXISTS own_rows ON ${table}`)
    // Each sub-select is evaluated once a statement, not once a row.
    await open.run(`CREATE POLICY own_rows ON ${table} USING (
      tenant_id = (SELECT current_setting('kron.tenant', true))
      OR (SELECT current_setting('kron.scope', true)) = 'all')`)
  }
}

/** Superusers and logins with BYPASSRLS are above every policy: as that role they are not. */
async function roleForTenants(open: OpenTransaction): Promise<string | null> {
  const [login] = await open.all<{ above: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS above FROM pg_roles WHERE rolname = current_user',
  )
  if (!login?.above) return null
  await open.run(`DO $$ BEGIN
    CREATE ROLE ${tenantRole} NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$`)
  await open.run(`DO $$ BEGIN
    IF NOT pg_has_role(current_user, '${tenantRole}', 'MEMBER') THEN
      EXECUTE format('GRANT ${tenantRole} TO %I', current_user);
    END IF;
  END $$`)
  await open.run(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${tenantTables.join(', ')}
    TO ${tenantRole}`)
  // Sums over all tenants, to which each of them adds.
  await open.run(`GRANT SELECT, INSERT, UPDATE ON system_usage TO ${tenantRole}`)
  return tenantRole
}
