import { join } from 'node:path'
import type { Host } from '../cli/host.js'
import type { DataOptions } from './serve-options.js'

/** Options on the command line that say where everything is kept. */
export interface DataArguments {
  readonly data: string
  readonly database?: string
}

/** Where the environment may say it as well, the command line wins. */
export function dataOptions(
  { data, database }: DataArguments,
  { env }: Host,
  databaseConnections: number,
): DataOptions {
  return {
    database: database ?? (env['KRON_DATABASE'] || join(data, 'kron.db')),
    folder: data,
    secretKey: env['KRON_SECRET_KEY'],
    databaseConnections,
  }
}
