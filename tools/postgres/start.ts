import { missingBinaries } from './binaries.ts'
import { startEmbeddedPostgres } from './embedded-server.ts'
import { ExternalServer } from './external-server.ts'
import type { PostgresOptions, PostgresServer } from './server.ts'

const externalUrl = (): string | undefined => process.env['DATABASE_URL'] || undefined

/** Why `startPostgres` would fail on this machine, in one line; null when it would not. */
export const postgresUnavailable = (): string | null =>
  externalUrl() === undefined ? missingBinaries() : null

/** A real PostgreSQL: one of our own, or the one that DATABASE_URL names. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const url = externalUrl()
  return url === undefined ? startEmbeddedPostgres(options) : new ExternalServer(url)
}
