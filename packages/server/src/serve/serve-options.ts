import type { Role } from './role.js'

export interface ServeOptions {
  readonly roles: readonly Role[]
  /** A `postgres://` url, or the path of an SQLite file. */
  readonly database: string
  /** Where the embedded database and the key file are kept. */
  readonly folder: string
  /** The value of KRON_SECRET_KEY, which wins over the key file. */
  readonly secretKey: string | undefined
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  readonly signup: 'closed' | 'open'
  /** Addresses that requests may go to although they are not public. */
  readonly allow: readonly string[]
  readonly mostInFlight: number
  readonly connectionsPerOrigin: number
  readonly databaseConnections: number
  /** How long runs under way have when the process is told to stop. */
  readonly graceMs: number
}

export const isPostgres = (database: string): boolean => /^postgres(ql)?:\/\//.test(database)
