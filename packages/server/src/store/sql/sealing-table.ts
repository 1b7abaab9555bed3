import type { EndpointDefinition, SecretValue } from '../../domain/index.js'
import type { SealedSample, SealingKeyTrace } from '../system-transaction.js'
import type { Sql } from './sql.js'

/** Rows that are looked at for a sample: those of a key that is no longer used may have expired. */
const maxRows = 1_000

export async function sealingKeys(sql: Sql): Promise<readonly SealingKeyTrace[]> {
  return sql.all<SealingKeyTrace>('SELECT id, sealed FROM sealing_keys ORDER BY id')
}

/** Two that find none would both write theirs. SQLite has one writer anyway. */
export async function lockSealingKeys(sql: Sql): Promise<readonly SealingKeyTrace[]> {
  if (sql.dialect === 'postgres') await sql.run('LOCK TABLE sealing_keys IN EXCLUSIVE MODE')
  return sealingKeys(sql)
}

export async function addSealingKey(sql: Sql, id: string, sealed: string): Promise<void> {
  await sql.run(
    `INSERT INTO sealing_keys (id, sealed, created_at) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING`,
    [id, sealed, sql.now],
  )
}

export async function sealedSample(sql: Sql, keyId: string | null): Promise<SealedSample | null> {
  const beginning = keyId === null ? 'k1.' : `k1.${keyId}.`
  return (await sealedSecret(sql, beginning)) ?? (await sealedHeader(sql, beginning))
}

async function sealedSecret(sql: Sql, beginning: string): Promise<SealedSample | null> {
  const rows = await sql.all<{ tenant_id: string; sealed_values: string }>(
    'SELECT tenant_id, sealed_values FROM secrets WHERE sealed_values LIKE $1 LIMIT $2',
    [`%"${beginning}%`, maxRows],
  )
  for (const { tenant_id, sealed_values } of rows) {
    const values = JSON.parse(sealed_values) as readonly SecretValue[]
    const found = values.find(
      ({ sealed, expiresAt }) =>
        sealed.startsWith(beginning) && (expiresAt === null || expiresAt > sql.now),
    )
    if (found) return { sealed: found.sealed, purpose: 'secret', tenantId: tenant_id }
  }
  return null
}

async function sealedHeader(sql: Sql, beginning: string): Promise<SealedSample | null> {
  const rows = await sql.all<{ tenant_id: string; definition: string }>(
    `SELECT tenant_id, definition FROM endpoints
     WHERE archived_at IS NULL AND definition LIKE $1 LIMIT $2`,
    [`%"${beginning}%`, maxRows],
  )
  for (const { tenant_id, definition } of rows) {
    const { headers } = JSON.parse(definition) as Pick<EndpointDefinition, 'headers'>
    const sealed = Object.values(headers).find((value) => value.startsWith(beginning))
    if (sealed !== undefined) return { sealed, purpose: 'header', tenantId: tenant_id }
  }
  return null
}
