import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'
import { StorageUnusableError } from '../errors/index.js'

/** What @kron/sqlite, which is better-sqlite3, is built for. On a Node with less, loading it kills the process. */
const neededNodeApi = 10

/**
 * Loaded when the first file is opened, so that a program that keeps nothing in SQLite needs neither
 * this Node nor the native library; and synchronously, because virtual clocks wait for promises only.
 */
export function loadSqlite(
  versions: { readonly node: string; readonly napi?: string | undefined } = process.versions,
  load: (name: string) => unknown = createRequire(import.meta.url),
): typeof Sqlite {
  if (!(Number(versions.napi) >= neededNodeApi)) {
    throw new StorageUnusableError(
      `sqliteStorage needs Node 22.14 or later and this is Node ${versions.node}: ` +
        'use a later Node, or memoryStorage(), which forgets everything with the process',
    )
  }
  try {
    const library = load('@kron/sqlite') as typeof Sqlite
    // Only this loads the native part.
    new library(':memory:').close()
    return library
  } catch (error) {
    throw new StorageUnusableError(
      "sqliteStorage can't load @kron/sqlite: install it on this machine, or use " +
        `memoryStorage(), which forgets everything with the process. ${String(error)}`,
      { cause: error },
    )
  }
}
