import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../tools/postgres/index.ts'
import { hashOfKey } from '../access/index.js'
import { createAddressGuard } from '../dispatch/index.js'
import { defaultRetention, newId, unlimited } from '../domain/index.js'
import { createVault, newSealingKeyText, parseSealingKeys } from '../secrets/index.js'
import type { Store } from '../store/index.js'
import { openPostgresStore } from '../store/postgres/postgres-store.js'
import { openSqliteStore } from '../store/sqlite/sqlite-store.js'
import { suspendTenant, type UseCasePorts } from '../use-cases/index.js'
import { type FirstTenant, firstTenant, type KeyKeeper } from './first-tenant.js'

const vault = createVault(parseSealingKeys(newSealingKeyText(), 'test'))
const addressGuard = createAddressGuard({ allow: [] })
const server = inject('postgresUrl')
const kinds = server === null ? ['SQLite'] : ['SQLite', 'PostgreSQL']

/** The file of a user, in memory. */
class Drawer implements KeyKeeper {
  held: string | null = null
  readonly keep: KeyKeeper['keep'] = async (text) => {
    this.held = text
    return { path: '/home/ada/key' }
  }
  readonly forget: KeyKeeper['forget'] = async (text) => {
    expect(text).toBe(this.held)
    this.held = null
  }
}

describe.each(kinds)('the first tenant, on %s', (kind) => {
  let database: string
  let store: Store
  let ports: UseCasePorts

  const open = (): Store =>
    kind === 'SQLite'
      ? openSqliteStore({ path: ':memory:', now: Date.now })
      : openPostgresStore({ url: database, connections: 2 })

  beforeEach(async () => {
    if (kind !== 'SQLite') database = await createDatabase(server!)
    store = open()
    await store.migrate()
    ports = { store, vault, addressGuard }
  })
  afterEach(async () => {
    await store.close().catch(() => undefined)
    if (kind !== 'SQLite') await dropDatabase(server!, database)
  })

  const bare = () => ({
    id: newId('ten', Date.now()),
    name: 'default',
    createdAt: Date.now(),
    quotas: unlimited,
    retention: defaultRetention,
  })
  const knows = async (text: string): Promise<boolean> =>
    (await store.system((rows) => rows.keyByHash(hashOfKey(text)))) !== null

  it('has the key that was kept, and is made once', async () => {
    const drawer = new Drawer()
    const created = await firstTenant(ports, drawer)
    expect(created).toMatchObject({ text: drawer.held, kept: { path: '/home/ada/key' } })
    expect(await knows(drawer.held!)).toBe(true)
    const second = new Drawer()
    expect(await firstTenant(ports, second)).toBe(null)
    expect(second.held).toBe(null)
  })

  it('is made once, however many find the database empty, and one keeps its key', async () => {
    const stores = kind === 'SQLite' ? [store, store] : [store, ...Array.from({ length: 5 }, open)]
    const drawers = stores.map(() => new Drawer())
    const made = await Promise.all(
      stores.map((each, n) => firstTenant({ ...ports, store: each }, drawers[n])),
    )
    const [created, ...others] = made.filter((each): each is FirstTenant => each !== null)
    expect(others).toEqual([])
    expect(drawers.map(({ held }) => held).filter((held) => held !== null)).toEqual([created!.text])
    await Promise.all(stores.slice(1).map((each) => each !== store && each.close()))
  })

  it('is made with the key shown where it can not be kept', async () => {
    const keep: KeyKeeper['keep'] = async () => ({ path: null, why: 'the disk is full' })
    const created = await firstTenant(ports, { keep, forget: () => expect.unreachable() })
    expect(created!.kept).toEqual({ path: null, why: 'the disk is full' })
    expect(await knows(created!.text)).toBe(true)
  })

  it('is given a key when who made it died before it had one', async () => {
    const tenant = bare()
    await store.system((rows) => rows.insertFirstTenant(tenant))
    const drawer = new Drawer()
    expect((await firstTenant(ports, drawer))!.tenant.id).toBe(tenant.id)
    expect(await knows(drawer.held!)).toBe(true)
    expect(await firstTenant(ports, new Drawer())).toBe(null)
  })

  it('gets no key again while somebody deletes it', async () => {
    const { tenant } = (await firstTenant(ports))!
    await suspendTenant(ports, { tenantId: tenant.id, actor: 'test' })
    for (let gone = 1; gone > 0; ) {
      gone = await store.system((rows) => rows.deleteRowsOf(tenant.id, 500))
    }
    expect(await firstTenant(ports)).toBe(null)
  })

  it('that can not be made leaves no key behind', async () => {
    const drawer = new Drawer()
    const failing = {
      system: store.system.bind(store),
      read: store.read.bind(store),
      tenant: () => Promise.reject(new Error('the disk is full')),
    } as unknown as Store
    await expect(firstTenant({ ...ports, store: failing }, drawer)).rejects.toThrow('is full')
    expect(drawer.held).toBe(null)
  })

  it('keeps the key when nobody can say whether it was made', async () => {
    const drawer = new Drawer()
    const keeper: KeyKeeper = {
      keep: async (text) => {
        await store.close()
        return drawer.keep(text)
      },
      forget: drawer.forget,
    }
    await expect(firstTenant(ports, keeper)).rejects.toThrow()
    expect(drawer.held).not.toBe(null)
  })
})
