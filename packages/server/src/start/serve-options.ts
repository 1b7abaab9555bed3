import { join } from 'node:path'
import { noSystemQuotas, type Quotas, type SystemQuotas, signupQuotas } from '../domain/index.js'
import type { TracingSettings } from '../tracing/index.js'
import { type Role, roles } from './server.js'

/** Where everything is kept. */
export interface DataOptions {
  /** A `postgres://` url, or the path of an SQLite file. */
  readonly database: string
  /** Where the embedded database and the key file are kept. */
  readonly folder: string
  /** The value of KRON_SECRET_KEY, which wins over the key file. */
  readonly secretKey: string | undefined
  readonly databaseConnections: number
}

export interface ServeOptions extends DataOptions {
  readonly roles: readonly Role[]
  /** Starts although what was sealed before can't be opened any more. */
  readonly lostKey: boolean
  readonly host: string
  /** null: this process does not listen. Without the role api it has health and metrics only. */
  readonly port: number | null
  readonly publicUrl: string | undefined
  readonly signup: 'closed' | 'open'
  /** Of tenants that strangers make. */
  readonly signupQuotas: Quotas
  /** Of all tenants together. */
  readonly systemQuotas: SystemQuotas
  /** With this many tenants nobody can sign up any more. */
  readonly maxTenants: number
  /** Addresses that requests may go to although they are not public. */
  readonly allow: readonly string[]
  readonly maxInFlight: number
  /** To all hosts together. */
  readonly connections: number
  readonly connectionsPerOrigin: number
  /** null: no traces are sent. */
  readonly tracing: TracingSettings | null
  /** The database comes from a backup: nothing that was due before now is sent. */
  readonly restored?: boolean
  /** How long runs under way have when the process stops. */
  readonly graceMs: number
}

/** What holds unless something else is asked for. */
export const defaultServeOptions = {
  roles,
  lostKey: false,
  host: '127.0.0.1',
  port: 7077,
  publicUrl: undefined,
  signup: 'closed',
  signupQuotas,
  systemQuotas: noSystemQuotas,
  maxTenants: 1_000,
  allow: [],
  maxInFlight: 20_000,
  connections: 512,
  connectionsPerOrigin: 64,
  databaseConnections: 10,
  tracing: null,
  restored: false,
  graceMs: 30_000,
} as const satisfies Partial<ServeOptions>

export const isPostgres = (database: string): boolean => /^postgres(ql)?:\/\//i.test(database)

export const keyFileOf = ({ folder }: Pick<DataOptions, 'folder'>): string =>
  join(folder, 'secret.key')
