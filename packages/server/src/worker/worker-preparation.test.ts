import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byInterval } from '../../testing/sample-endpoint.js'
import { minute, vault, WorkerWorld } from '../../testing/worker/worker-world.js'
import type { Store } from '../store/index.js'

const world = new WorkerWorld()
const { added, at, between, ms, started } = world
beforeEach(world.open)
afterEach(world.close)

describe('before a run is due', () => {
  it('its secret is read, so that a slow store does not make it late', async () => {
    await added()
    const tenant: Store['tenant'] = async (tenantId, work) => {
      await world.clock.sleep(200)
      return world.store.tenant(tenantId, work)
    }
    started({ store: between({ tenant }) })
    await at(minute + 1_000)
    expect(world.sent.map((one) => one.at)).toEqual([minute])
  })

  it('its headers are opened, once for all runs of its endpoint', async () => {
    const { tenantId } = world
    const authorization = vault.seal('Bearer 1', { purpose: 'header', tenantId })
    await added({ ...byInterval(1_000), headers: { authorization } })
    const openedAt: number[] = []
    const open: typeof vault.open = (sealed, context) => {
      openedAt.push(ms())
      return vault.open(sealed, context)
    }
    started({ vault: { ...vault, open } })
    await at(3_500)
    expect(world.sent.map(({ headers }) => headers['authorization'])).toEqual(
      Array.from({ length: 3 }, () => 'Bearer 1'),
    )
    expect(openedAt).toHaveLength(1)
    expect(openedAt[0]).toBeLessThan(1_000)
  })
})

describe('while requests wait for a connection', () => {
  /** A dispatcher in which so many wait, by a look at them. */
  const waitingBy = (look: () => number) => {
    const { send, close } = world.dispatcher
    return {
      send,
      close,
      get waiting() {
        return look()
      },
    }
  }

  it('no more are made ready when they are many', async () => {
    for (let n = 0; n < 129; n++) await added()
    const line = [257, 257, 256]
    const sentThen: number[] = []
    const dispatcher = waitingBy(() => {
      sentThen.push(world.sent.length)
      return line.shift() ?? 0
    })
    started({ dispatcher })
    await at(minute)
    expect(sentThen).toEqual([128, 128, 128])
    expect(world.sent).toHaveLength(129)
  })

  it.each([
    [0, 120],
    [1, 140],
  ])('outcomes gather for longer: %d wait', async (waiting, recordedAt) => {
    await added()
    const batchesAt: number[] = []
    const record: Store['record'] = (outcomes, planning) => {
      batchesAt.push(ms() - minute)
      return world.store.record(outcomes, planning)
    }
    started({ dispatcher: waitingBy(() => waiting), store: between({ record }) })
    await at(minute + 1_000)
    expect(batchesAt).toEqual([recordedAt])
  })
})
