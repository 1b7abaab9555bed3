import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KeyWorld } from '../../testing/access/key-world.js'
import { KeyDirectory, lookUpTtlMs } from './key-directory.js'

let world: KeyWorld
let keys: KeyDirectory
beforeEach(async () => {
  world = await KeyWorld.open()
  keys = new KeyDirectory(world.store, world.clock)
})
afterEach(() => world.close())

describe('a key', () => {
  it('is found by its hash and by its id, with its tenant and the time of the store', async () => {
    const { text: _text, hash, ...key } = await world.key({ scopes: ['write'] })
    const found = { key, tenant: { id: world.tenantId }, now: world.sample.now }
    expect(await keys.byHash(hash)).toMatchObject(found)
    expect(await keys.byId(world.tenantId, key.id)).toMatchObject(found)
  })

  it('that does not exist is not found, nor that of another tenant by its id', async () => {
    const other = 'ten_00000000000000000000000002'
    await world.sample.addTenant(other)
    const { id } = await world.key()
    expect(await keys.byHash('of nobody')).toBeNull()
    expect(await keys.byId(world.tenantId, 'key_of_nobody')).toBeNull()
    expect(await keys.byId(other, id)).toBeNull()
    expect(await keys.byId(world.tenantId, id)).not.toBeNull()
  })

  it('is looked up once, and again when that is too long ago', async () => {
    const { hash } = await world.key()
    await keys.byHash(hash)
    await world.clock.advanceBy(lookUpTtlMs - 1)
    expect(await keys.byHash(hash)).toMatchObject({ now: world.sample.now + lookUpTtlMs - 1 })
    expect(world.asked).toBe(1)
    await world.clock.advanceBy(1)
    expect(await keys.byHash(hash)).toMatchObject({ now: world.sample.now })
    expect(world.asked).toBe(2)
    await keys.byHash(hash)
    expect(world.asked).toBe(2)
  })

  it('is looked up again when our clock was set back', async () => {
    let now = 5_000_000
    const directory = new KeyDirectory(world.store, {
      now: () => new Date(now),
      sleep: (ms) => world.clock.sleep(ms),
    })
    const { hash } = await world.key()
    await directory.byHash(hash)
    now -= 1
    await directory.byHash(hash)
    expect(world.asked).toBe(2)
  })

  it('that is revoked elsewhere works until it is looked up again', async () => {
    const key = await world.key()
    await keys.byHash(key.hash)
    await world.revoke(key)
    expect(await keys.byHash(key.hash)).not.toBeNull()
    await world.clock.advanceBy(lookUpTtlMs)
    expect(await keys.byHash(key.hash)).toBeNull()
  })

  it('that is revoked here works no longer, by its hash and by its id, and others do', async () => {
    const [key, other] = [await world.key(), await world.key()]
    for (const { hash, id } of [key, other]) {
      await keys.byHash(hash)
      await keys.byId(world.tenantId, id)
    }
    await world.revoke(key)
    keys.forget(key.id)
    expect(await keys.byHash(key.hash)).toBeNull()
    expect(await keys.byId(world.tenantId, key.id)).toBeNull()
    const { asked } = world
    expect(await keys.byHash(other.hash)).not.toBeNull()
    expect(await keys.byId(world.tenantId, other.id)).not.toBeNull()
    expect(world.asked).toBe(asked)
  })

  it('expires at its time by the clock of the store, also while a look-up is believed', async () => {
    const { hash } = await world.key({ expiresAt: world.sample.now + 1000 })
    expect(await keys.byHash(hash)).not.toBeNull()
    await world.clock.advanceBy(999)
    expect(await keys.byHash(hash)).not.toBeNull()
    await world.clock.advanceBy(1)
    expect(await keys.byHash(hash)).toBeNull()
    expect(world.asked).toBe(1)
  })

  it('has been met once it was found, and as long as it is there', async () => {
    const { hash, id } = await world.key()
    expect(keys.hasMet(hash)).toBe(false)
    await keys.byHash(hash)
    await keys.byHash('of nobody')
    await world.clock.advanceBy(100 * lookUpTtlMs)
    expect([keys.hasMet(hash), keys.hasMet('of nobody')]).toEqual([true, false])
    keys.forget(id)
    expect(keys.hasMet(hash)).toBe(false)
  })

  it('that is gone, or whose tenant is, is not found and has not been met', async () => {
    const { hash, id } = await world.key()
    const { store } = world.sample
    const isKnown = async () => [
      await keys.byHash(hash),
      await keys.byId(world.tenantId, id).catch(() => 'no tenant'),
      keys.hasMet(hash),
    ]
    await keys.byHash(hash)
    await world.clock.advanceBy(lookUpTtlMs)
    await store.system((rows) => rows.deleteTenant(world.tenantId))
    expect(await isKnown()).toEqual([null, 'no tenant', false])
    await world.sample.addTenant(world.tenantId)
    await keys.byHash(hash)
    await world.clock.advanceBy(lookUpTtlMs)
    while ((await store.system((rows) => rows.deleteRowsOf(world.tenantId, 100))) > 0);
    expect(await isKnown()).toEqual([null, null, false])
  })
})
