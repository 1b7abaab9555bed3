import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../tools/postgres/index.ts'
import { startQuietService } from '../../testing/start/quiet-service.js'
import { createVault, newSealingKeyText, parseSealingKeys } from '../secrets/index.js'
import type { Store } from '../store/index.js'
import { openPostgresStore } from '../store/postgres/postgres-store.js'
import { openSqliteStore } from '../store/sqlite/sqlite-store.js'
import type { Service } from './service.js'

const server = inject('postgresUrl')
const one = newSealingKeyText()
const other = newSealingKeyText()
const idOf = (text: string): string => parseSealingKeys(text, 'test')[0]!.id

let folder: string
const running: Service[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-sealing-'))
})
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop()
  await rm(folder, { recursive: true })
})

async function start(secretKey: string | undefined, database = join(folder, 'kron.db')) {
  const service = await startQuietService(folder, { secretKey, database, port: null })
  running.push(service)
  return service
}

/** As a process that comes, does its first work and goes. */
async function startAndStop(secretKey: string | undefined): Promise<void> {
  await start(secretKey)
  await running.pop()!.stop()
}

async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = openSqliteStore({ path: join(folder, 'kron.db'), now: Date.now })
  await store.migrate()
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const wrongKey = { name: 'StartError', part: 'sealing-key', code: 'key_unknown' }

describe('a server whose sealing key is not the one of its database', () => {
  it('does not start, and says which key it would need', async () => {
    await startAndStop(one)
    await expect(start(other)).rejects.toMatchObject({
      ...wrongKey,
      message: expect.stringContaining(
        `sealed with key ${idOf(one)}, which is not among the keys given (${idOf(other)})`,
      ),
    })
    await start(one)
  })

  it('does not start without a key, and makes none that would open nothing', async () => {
    await startAndStop(one)
    const refusal = { part: 'sealing-key', code: 'key_missing' }
    await expect(start(undefined)).rejects.toMatchObject(refusal)
    expect(existsSync(join(folder, 'secret.key'))).toBe(false)
    await start(one)
  })

  it('does not start on a database from before keys were written down', async () => {
    await startAndStop(one)
    const forget = (): Promise<void> =>
      inStore((store) => store.system((rows) => rows.removeSealingKey(idOf(one))))
    await forget()
    await expect(start(other)).rejects.toMatchObject({ part: 'sealing-key', code: 'key_unknown' })
    await expect(start(undefined)).rejects.toMatchObject({ code: 'key_missing' })
    await startAndStop(one)
    await expect(start(other)).rejects.toMatchObject(wrongKey)
  })
})

it('a key that is gone can be given up, once and for all', async () => {
  await startAndStop(one)
  await expect(start(other)).rejects.toMatchObject(wrongKey)
  const lost = { secretKey: other, lostKey: true, port: null }
  await (await startQuietService(folder, lost)).stop()
  await startAndStop(other)
  await expect(start(one)).rejects.toMatchObject(wrongKey)
})

it('a new key beside the old one is taken, and the old one kept while it is needed', async () => {
  await startAndStop(one)
  await startAndStop(`${other},${one}`)
  await expect(start(other)).rejects.toMatchObject(wrongKey)
  await inStore(async (store) => {
    const vault = createVault(parseSealingKeys(other, 'test'))
    const [tenant] = await store.system((rows) => rows.tenants(1, null))
    await store.tenant(tenant!.id, async (rows) => {
      const secret = (await rows.secrets.get('default'))!
      const sealed = vault.seal('whsec_new', { purpose: 'secret', tenantId: tenant!.id })
      // What has expired signs nothing any more, and need not be opened.
      const expired = { ...secret.values[0]!, expiresAt: rows.now - 1 }
      const values = [{ sealed, createdAt: rows.now, expiresAt: null }, expired]
      await rows.secrets.put({ ...secret, values })
    })
  })
  await startAndStop(other)
  await expect(start(one)).rejects.toMatchObject(wrongKey)
})

async function expectOneToStart(database: string): Promise<void> {
  const started = await Promise.allSettled([start(one, database), start(other, database)])
  const refused = started.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  expect(refused).toEqual([expect.objectContaining(wrongKey)])
}

it('of two that start at once with different keys one is refused', async () => {
  await expectOneToStart(join(folder, 'kron.db'))
})

describe.runIf(server !== null)('on PostgreSQL', () => {
  it('of two that start at once with different keys one is refused', async () => {
    const url = await createDatabase(server!)
    try {
      await expectOneToStart(url)
      await running.pop()!.stop()
      const store = openPostgresStore({ url })
      expect(await store.system((rows) => rows.sealingKeys())).toHaveLength(1)
      await store.close()
    } finally {
      await dropDatabase(server!, url)
    }
  })
})
