import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { describeStore } from '../../../testing/store/store-conformance.js'
import { noSystemQuotas } from '../../domain/index.js'
import type { Store } from '../store.js'
import { openSqliteStore } from './sqlite-store.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-store-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function migrated(
  path: string,
  now: () => number,
  systemQuotas = noSystemQuotas,
): Promise<Store> {
  const store = openSqliteStore({ path, now, systemQuotas })
  await store.migrate()
  return store
}

describeStore('SQLite', (...given) => migrated(':memory:', ...given))

/** Reads go to threads of their own there. */
describeStore('SQLite in a file', (...given) => migrated(join(folder, 'kron.db'), ...given))
