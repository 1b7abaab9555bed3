import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KeyWorld } from '../../testing/access/key-world.js'
import type { ApiKey } from '../domain/index.js'
import { type Store, StoreError } from '../store/index.js'
import { KeyUse } from './key-use.js'

const minute = 60_000

let world: KeyWorld
let key: ApiKey
beforeEach(async () => {
  world = await KeyWorld.open()
  key = await world.key()
})
afterEach(() => world.close())

async function lastUse({ id }: ApiKey): Promise<number | null> {
  const { store, tenantId } = world.sample
  return (await store.tenant(tenantId, (rows) => rows.keys.get(id)))!.lastUsedAt
}

describe('the last use of a key', () => {
  it('is written, and then not again within a minute', async () => {
    const use = new KeyUse(world.store, world.log)
    const from = world.sample.now
    for (const after of [0, 1, minute - 1]) {
      use.note(key.id, from + after)
      await use.settled()
      expect(await lastUse(key)).toBe(from)
    }
    expect(world.asked).toBe(1)
    use.note(key.id, from + minute)
    await use.settled()
    expect(await lastUse(key)).toBe(from + minute)
  })

  it('is written again after a clock was set back by a minute', async () => {
    const use = new KeyUse(world.store, world.log)
    use.note(key.id, 10 * minute)
    await use.settled()
    use.note(key.id, 9 * minute + 1)
    await use.settled()
    expect(world.asked).toBe(1)
    use.note(key.id, 9 * minute)
    await use.settled()
    expect(world.asked).toBe(2)
  })

  it('is written after the request that used it, together with all others meanwhile', async () => {
    const others = [await world.key(), await world.key(), await world.key()]
    const use = new KeyUse(world.store, world.log)
    use.note(key.id, 5)
    expect(world.asked).toBe(0)
    use.note(others[0]!.id, 6)
    await null
    expect(world.asked).toBe(1)
    use.note(others[1]!.id, 7)
    use.note(others[2]!.id, 8)
    expect(world.asked).toBe(1)
    await use.settled()
    expect(world.asked).toBe(2)
    expect(await Promise.all([key, ...others].map(lastUse))).toEqual([5, 6, 7, 8])
  })

  it('that can not be written is logged, and the next one is written', async () => {
    let isAway = true
    const store = {
      system: (work) =>
        isAway
          ? Promise.reject(new StoreError('unavailable', 'away', 'no'))
          : world.store.system(work),
    } as Partial<Store> as Store
    const use = new KeyUse(store, world.log)
    use.note(key.id, 5)
    await use.settled()
    expect(world.logged).toMatchObject([{ operation: 'touch_keys', level: 'error' }])
    isAway = false
    use.note(key.id, 5 + minute)
    await use.settled()
    expect(await lastUse(key)).toBe(5 + minute)
  })
})
