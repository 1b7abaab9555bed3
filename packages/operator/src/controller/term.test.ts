import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../testing/cluster/sample-world.js'
import {
  VirtualCluster,
  type VirtualClusterOptions,
} from '../../testing/cluster/virtual-cluster.js'
import { changedKubeApi, FaultyKubeApi, passingKubeApi } from '../../testing/kube-api/index.js'
import { jobs, type KubeApi, kronJobs } from '../kube/index.js'
import { Controller } from './controller.js'
import { defaultOptions } from './ports.js'

const patient = { policy: { deadline: '30m' } }

describe('the beginning of a term', () => {
  it('starts nothing that is due before all Jobs were read', async () => {
    const c = new VirtualCluster()
    c.apply('backup', patient)
    await c.until('10:05:00')
    const through = new FaultyKubeApi(c.api, c.clock, ({ verb, resource }) =>
      verb === 'list' && resource === jobs && c.clock.now().getTime() < Date.UTC(2026, 2, 1, 10, 8)
        ? { kind: 'broken' }
        : null,
    )
    const { stop } = c.startController({ api: through })
    await c.until('10:07:59')
    c.change('backup', { successfulJobsHistoryLimit: 5 })
    expect(c.logged('trigger')).toEqual([])
    expect(c.jobs()).toEqual([])
    await c.until('10:09:00')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z'])
    await stop()
  })

  it('that is over before it began is not called ready', async () => {
    const world = sampleWorld()
    await new Controller(world, defaultOptions).run(AbortSignal.abort())
    expect(world.lines).toEqual([])
  })
})

describe('a look that fails for a reason nobody foresaw', () => {
  it('is logged, counted, and repeated after five seconds', async () => {
    const looks: number[] = []
    const c = new VirtualCluster()
    const reconciled = (): void => {
      if (looks.push(c.clock.now().getTime()) === 1) throw new Error('unforeseen')
    }
    const { stop } = c.startController({ observer: { reconciled } })
    c.apply('backup')
    await c.until('09:59:50')
    expect(c.logged('error')).toMatchObject([
      { identity: 'default/backup', operation: 'reconcile', message: 'unforeseen' },
    ])
    expect(c.observed).toEqual(['failed reconcile'])
    expect(looks[1]! - looks[0]!).toBe(5000)
    await c.until('10:00:10')
    expect(c.periods()).toEqual(['2026-03-01T10:00:00Z'])
    await stop()
  })
})

describe('the end of a term', () => {
  it('comes also when the controller breaks, and leaves nothing behind', async () => {
    const world = sampleWorld()
    const broken = new Error('the log is full')
    const info = (): never => {
      throw broken
    }
    const { signal } = new AbortController()
    const controller = new Controller({ ...world, log: { ...world.log, info } }, defaultOptions)
    await expect(controller.run(signal)).rejects.toBe(broken)
    expect(controller.isReady).toBe(false)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(world.clock.pending).toBe(0)
  })

  it.each<[string, (api: KubeApi, released: Promise<void>) => Partial<KubeApi>]>([
    [
      'its watches have',
      (api, released) => ({
        async *watch(...asked) {
          try {
            yield* api.watch(...asked)
          } finally {
            await released
          }
        },
      }),
    ],
    [
      'a check of a template has',
      (api, released) => ({
        tryCreate: async (...asked) => {
          await released
          return await api.tryCreate(...asked)
        },
      }),
    ],
  ])('has come when %s ended', async (_, change) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const c = new VirtualCluster({ through: (api) => changedKubeApi(api, change(api, promise)) })
    const { stop } = c.startController()
    c.apply('backup')
    await c.until('09:59:36')
    let isOver = false
    const stopped = stop().then(() => {
      isOver = true
    })
    await c.until('09:59:50')
    expect(isOver).toBe(false)
    resolve()
    await stopped
    expect(c.clock.pending).toBe(0)
  })

  it.each<[string, VirtualClusterOptions, (c: VirtualCluster) => void]>([
    [
      'a status that is to be written',
      {},
      (c) => c.change('backup', { policy: { suspend: true } }),
    ],
    [
      'a template that is being checked',
      {
        through: (api, clock) =>
          passingKubeApi(api, {
            act: async ({ verb }, effect, signal) => {
              if (verb === 'tryCreate') await clock.sleep(4000)
              return effect(signal)
            },
            follow: (_, open, signal) => open(signal),
          }),
      },
      () => undefined,
    ],
  ])('is no failure of %s', async (_, options, act) => {
    let isLeading = true
    const c = new VirtualCluster(options)
    c.startController({ isLeading: () => isLeading })
    c.apply('backup')
    await c.until('09:59:32')
    isLeading = false
    act(c)
    const { version } = c.api
    await c.until('09:59:50')
    expect(c.api.version).toBe(version)
    expect(c.logged('error')).toEqual([])
    expect(c.observed).toEqual([])
  })
})

describe('a KronJob that is gone', () => {
  it('is nothing to look at, and nothing that is due', async () => {
    const c = new VirtualCluster()
    const { controller, stop } = c.startController()
    c.apply('backup')
    await c.until('09:59:50')
    expect(controller.isQuietFor(10_000)).toBe(false)
    const name = { namespace: 'default', name: 'backup' }
    c.api.objects.delete(kronJobs, name, { propagation: 'Background' })
    await c.until('09:59:51')
    expect(controller.isQuietFor(Number.MAX_SAFE_INTEGER)).toBe(true)
    expect([controller.kronJobCount, controller.queueDepth]).toEqual([0, 0])
    await c.until('10:00:10')
    expect(c.logged('error')).toEqual([])
    await stop()
  })
})

describe('a KronJob that goes while its Job is asked for', () => {
  it('leaves nothing that is due', async () => {
    const c = new VirtualCluster({
      through: (api, clock) =>
        passingKubeApi(api, {
          act: async ({ verb }, effect, signal) => {
            if (verb === 'create') await clock.sleep(5000)
            return effect(signal)
          },
          follow: (_, open, signal) => open(signal),
        }),
    })
    const { controller, stop } = c.startController()
    c.apply('backup')
    await c.until('10:00:01')
    const name = { namespace: 'default', name: 'backup' }
    c.api.objects.delete(kronJobs, name, { propagation: 'Background' })
    await c.until('10:00:30')
    expect(controller.isQuietFor(Number.MAX_SAFE_INTEGER)).toBe(true)
    expect(c.logged('error')).toEqual([])
    await stop()
  })
})

describe('a controller is quiet', () => {
  const day = 86_400_000

  it('for as long as all is suspended', async () => {
    const c = new VirtualCluster()
    const { controller, stop } = c.startController()
    c.apply('backup')
    await c.until('09:59:50')
    expect(controller.isQuietFor(day)).toBe(false)
    c.change('backup', { policy: { suspend: true } })
    await c.until('09:59:52')
    expect(controller.isQuietFor(day)).toBe(true)
    await stop()
  })

  it.each([
    ['a Job is asked for', 'create', '10:00:01', {}],
    ['a template is checked', 'tryCreate', '09:59:36', { policy: { suspend: true } }],
  ] as const)('but not while %s', async (_, slow, at, spec) => {
    const c = new VirtualCluster({
      through: (api, clock) =>
        passingKubeApi(api, {
          act: async ({ verb }, effect, signal) => {
            if (verb === slow) await clock.sleep(10_000)
            return effect(signal)
          },
          follow: (__, open, signal) => open(signal),
        }),
    })
    const { controller, stop } = c.startController()
    c.apply('backup', spec)
    await c.until(at)
    expect(controller.isQuietFor(0)).toBe(false)
    await c.until('10:00:30')
    expect(controller.isQuietFor(0)).toBe(true)
    await stop()
  })
})
