import { join } from 'node:path'
import { badArgument } from '@kron/command'
import { quote } from '@kron/core'
import type { Command } from 'commander'
import type { Host } from '../../process/host.js'
import { type DataOptions, isPostgres } from '../../start/serve-options.js'

/** Options on the command line that say where everything is kept. */
export interface DataArguments {
  readonly data: string
  readonly database?: string
}

/** For commands that work on the database itself. */
export function withData(command: Command): Command {
  return command
    .option(
      '--data <folder>',
      'the folder of the embedded database and the sealing key',
      'kron-data',
    )
    .option(
      '--database <url>',
      'postgres://... or an SQLite file (default: KRON_DATABASE, or in --data)',
    )
}

/** Where the environment may say it as well, the command line wins. */
export function dataOptions(
  { data, database }: DataArguments,
  { env }: Host,
  databaseConnections: number,
): DataOptions {
  const fromEnvironment = env['KRON_DATABASE'] || undefined
  const named = database ?? fromEnvironment
  if (named !== undefined) {
    checkDatabase(named, database === undefined ? 'KRON_DATABASE' : '--database')
  }
  return {
    database: named ?? join(data, 'kron.db'),
    folder: data,
    secretKey: env['KRON_SECRET_KEY'],
    databaseConnections,
  }
}

/** Such as mysql://host, jdbc:mysql://host or sqlite:kron.db; not C:\kron.db. */
const withScheme = /^([a-z][a-z0-9+.-]+):(?=.*\/\/)|^(sqlite3?|file):/i

/** A URL that is not PostgreSQL's would be made a file of that name. It may hold a password. */
function checkDatabase(text: string, name: string): void {
  if (isPostgres(text)) return
  const found = withScheme.exec(text)
  if (found === null) return
  const scheme = quote(`${found[1] ?? found[2]}:`)
  const expected = 'a postgres:// or postgresql:// URL, or the path of an SQLite file'
  throw badArgument(name, `${name} must be ${expected}, got a URL with ${scheme}`)
}
