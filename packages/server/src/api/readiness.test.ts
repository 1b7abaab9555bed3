import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiWorld } from '../../testing/api/api-world.js'
import type { Store } from '../store/index.js'
import { Readiness } from './readiness.js'

describe('readiness', () => {
  let world: ApiWorld
  let isAway: boolean
  let asked: number
  let readiness: Readiness

  beforeEach(async () => {
    world = await ApiWorld.open()
    isAway = false
    asked = 0
    const system: Store['system'] = async (work) => {
      asked++
      if (isAway) throw new Error('the database is away')
      return world.store.system(work)
    }
    const store = Object.assign(Object.create(world.store) as Store, { system })
    readiness = new Readiness(store, world.clock)
  })
  afterEach(() => world.close())

  it('is asked of the database once a second, however often somebody asks', async () => {
    await Promise.all([readiness.check(), readiness.check()])
    await world.clock.advanceBy(999)
    await readiness.check()
    expect(asked).toBe(1)
    await world.clock.advanceBy(1)
    await readiness.check()
    expect(asked).toBe(2)
  })

  it('comes back with the database', async () => {
    isAway = true
    await expect(readiness.check()).rejects.toThrow('the database is away')
    isAway = false
    await world.clock.advanceBy(1_000)
    await expect(readiness.check()).resolves.toBeUndefined()
  })

  it('is not taken from before the clock was set back', async () => {
    await readiness.check()
    isAway = true
    world.clock.step(-3_600_000)
    await expect(readiness.check()).rejects.toThrow('the database is away')
  })
})
