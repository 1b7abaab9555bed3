import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { kronJobOf } from '../../testing/cluster/samples.js'
import { changedKubeApi, MemoryKubeApi } from '../../testing/kube-api/index.js'
import { ApiFailure, type GuardableKubeApi, type KubeApi, kronJobs, leases } from '../kube/index.js'
import { LeadershipLost } from '../requests/requests.js'
import { Operator } from './operator.js'
import type { StartSettings } from './start-settings.js'

const lease = { name: 'kron-operator', namespace: undefined, durationMs: 15_000 }
const usual: StartSettings = {
  listen: null,
  lease,
  resyncMs: 1_800_000,
  maxRequests: 4,
  logFormat: 'json',
  logLevel: 'error',
}

/** A cluster in memory with operators; leases can't be written while they are cut. */
class Crowd {
  readonly clock = new VirtualClock(Date.UTC(2026, 2, 1))
  readonly server = new MemoryKubeApi({ clock: this.clock })
  isCut = false

  operator(identity: string, settings: Partial<StartSettings> = {}, api = this.#cuttable()) {
    const { clock } = this
    const startedAt = clock.now().getTime()
    const elapsed = () => clock.now().getTime() - startedAt
    const write = () => undefined
    const log = createLog({ format: 'json', level: 'error', component: 'test', clock, write })
    const ports = { api, clock, elapsed, log, identity, namespace: 'kron' }
    const operator = new Operator({ ...usual, ...settings }, ports)
    const stopping = new AbortController()
    const running = operator.run(stopping.signal)
    return { operator, running, stop: () => stopping.abort('stopped') }
  }

  kronJobIn(namespace: string): void {
    this.server.objects.create(kronJobs, { ...kronJobOf(), metadata: { name: 'a', namespace } })
  }

  #cuttable(): KubeApi {
    return changedKubeApi(this.server, {
      replace: async (...asked) => {
        if (this.isCut) throw new ApiFailure('cut', { status: null })
        return await this.server.replace(...asked)
      },
    })
  }
}

describe('an operator that can not renew its lease', () => {
  it('leads for two thirds of the duration, and no longer', async () => {
    const crowd = new Crowd()
    const { operator } = crowd.operator('a')
    await crowd.clock.advanceBy(1000)
    crowd.isCut = true
    await crowd.clock.advanceBy(8500)
    expect(operator.isLeading).toBe(true)
    await crowd.clock.advanceBy(1500)
    expect(operator.isLeading).toBe(false)
  })

  it('goes on leading when it can renew it again in time', async () => {
    const crowd = new Crowd()
    const { operator } = crowd.operator('a')
    await crowd.clock.advanceBy(1000)
    crowd.isCut = true
    await crowd.clock.advanceBy(5000)
    crowd.isCut = false
    await crowd.clock.advanceBy(60_000)
    expect(operator.isLeading).toBe(true)
    expect(crowd.server.objects.all(leases)).toMatchObject([{ spec: { leaseTransitions: 0 } }])
  })

  it('looks after nothing when its term is over', async () => {
    const crowd = new Crowd()
    crowd.kronJobIn('team-a')
    const { operator } = crowd.operator('a')
    await crowd.clock.advanceBy(1000)
    expect([operator.kronJobCount, operator.isReady]).toEqual([1, true])
    crowd.isCut = true
    await crowd.clock.advanceBy(12_000)
    expect([operator.kronJobCount, operator.queueDepth, operator.isHealthy]).toEqual([0, 0, true])
    expect(operator.isQuietFor(60_000)).toBe(true)
  })
})

describe('an operator', () => {
  it('that waits is ready when it knows for whom', async () => {
    const crowd = new Crowd()
    crowd.operator('a')
    await crowd.clock.advanceBy(1000)
    const { operator } = crowd.operator('b')
    expect([operator.leader, operator.isReady]).toEqual(['', false])
    await crowd.clock.advanceBy(2000)
    expect([operator.leader, operator.isReady, operator.isLeading]).toEqual(['a', true, false])
    expect(operator.isHealthy).toBe(true)
  })

  it('that leads is ready when it has read everything', async () => {
    const crowd = new Crowd()
    const listed = Promise.withResolvers<void>()
    const slow = changedKubeApi(crowd.server, {
      list: async (...asked) => {
        await listed.promise
        return await crowd.server.list(...asked)
      },
    })
    const { operator } = crowd.operator('a', {}, slow)
    await crowd.clock.advanceBy(1000)
    expect([operator.isLeading, operator.isReady, operator.isHealthy]).toEqual([true, false, true])
    listed.resolve()
    await crowd.clock.advanceBy(1000)
    expect(operator.isReady).toBe(true)
  })

  it('is healthy while it has nothing to do, and not when it stands still', async () => {
    const crowd = new Crowd()
    const { operator } = crowd.operator('a')
    for (let minute = 0; minute < 5; minute++) {
      await crowd.clock.advanceBy(59_000)
      expect(operator.isHealthy).toBe(true)
    }
    crowd.clock.step(60_000)
    expect(operator.isHealthy).toBe(true)
    crowd.clock.step(120_000)
    expect(operator.isHealthy).toBe(false)
  })

  it.each([
    [undefined, 'kron'],
    ['elsewhere', 'elsewhere'],
  ])('has its lease where it was told: %s', async (namespace, where) => {
    const crowd = new Crowd()
    crowd.operator('a', { lease: { ...lease, namespace } })
    await crowd.clock.advanceBy(1000)
    expect(crowd.server.objects.all(leases)).toMatchObject([
      { metadata: { name: 'kron-operator', namespace: where }, spec: { holderIdentity: 'a' } },
    ])
  })

  it('looks after the namespace that it was told, and no other', async () => {
    const crowd = new Crowd()
    for (const namespace of ['team-a', 'team-b']) crowd.kronJobIn(namespace)
    const [all, one] = [
      crowd.operator('a'),
      crowd.operator('b', { namespace: 'team-a', lease: null }),
    ]
    await crowd.clock.advanceBy(1000)
    expect([all.operator.kronJobCount, one.operator.kronJobCount]).toEqual([2, 1])
  })

  it('lists everything again as often as its settings say', async () => {
    const crowd = new Crowd()
    const listed: number[] = []
    const noting = changedKubeApi(crowd.server, {
      list: (...asked) => {
        listed.push(crowd.clock.now().getTime())
        return crowd.server.list(...asked)
      },
    })
    crowd.operator('a', { lease: null, resyncMs: 60_000 }, noting)
    await crowd.clock.advanceBy(200_000)
    expect(listed).toHaveLength(2)
    await crowd.clock.advanceBy(200_000)
    expect(listed).toHaveLength(4)
  })

  it('without a lease leads until it is stopped, and changes nothing after', async () => {
    const crowd = new Crowd()
    let guard: (() => void) | null = null
    const api: GuardableKubeApi = crowd.server
    api.guardedBy = (given) => {
      guard = given
      return api
    }
    const { operator, running, stop } = crowd.operator('a', { lease: null }, api)
    await crowd.clock.advanceBy(60_000)
    expect([operator.isLeading, operator.leader]).toEqual([true, 'a'])
    expect(guard).not.toThrow()
    stop()
    expect(guard).toThrow(LeadershipLost)
    await running
    expect(operator.isLeading).toBe(false)
    expect(crowd.server.objects.all(leases)).toEqual([])
  })
})
