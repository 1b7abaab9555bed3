import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../testing/cluster/sample-world.js'
import { at } from '../../testing/cluster/samples.js'
import { overQuota } from '../../testing/cluster/scenarios.js'
import { template, VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import {
  changedKubeApi,
  FaultyKubeApi,
  MemoryKubeApi,
  passingKubeApi,
} from '../../testing/kube-api/index.js'
import { events, jobs, type KubeApi, kronJobs } from '../kube/index.js'
import { Controller } from './controller.js'
import { defaultOptions } from './ports.js'

/** A controller that has not been started, of an API server that may be changed. */
function controlling(
  change: (api: KubeApi, clock: VirtualClock) => KubeApi = (api) => api,
  namespace?: string,
) {
  const clock = new VirtualClock(at('09:59:30'))
  const server = new MemoryKubeApi({ clock })
  let isLeading = true
  const world = sampleWorld(change(server, clock), () => isLeading, clock)
  const controller = new Controller(world, { ...defaultOptions, namespace })
  const end = new AbortController()
  const apply = (name: string, inNamespace = 'default') =>
    server.objects.create(kronJobs, {
      metadata: { namespace: inNamespace, name },
      spec: { schedule: '0 * * * *', jobTemplate: template },
    })
  const lose = (): void => {
    isLeading = false
  }
  return { clock, server, controller, world, apply, end, lose }
}

describe('a controller', () => {
  it('is ready when it has read everything, until it ends', async () => {
    const { clock, controller, apply, end, world } = controlling()
    apply('backup')
    apply('mirror')
    expect([controller.isReady, controller.isQuietFor(0)]).toEqual([false, false])
    const running = controller.run(end.signal)
    await clock.advanceBy(20_000)
    expect(controller.isReady).toBe(true)
    expect(world.lines).toContainEqual(expect.objectContaining({ event: 'ready', kronjobs: 2 }))
    const { kronJobCount, queueDepth, waitingRequests } = controller
    expect({ kronJobCount, queueDepth, waitingRequests }).toEqual({
      kronJobCount: 2,
      queueDepth: 0,
      waitingRequests: 0,
    })
    end.abort()
    await running
    expect(controller.isReady).toBe(false)
  })

  it('is quiet until something is due', async () => {
    const { clock, controller, apply, end } = controlling()
    apply('backup')
    void controller.run(end.signal)
    await clock.advanceBy(20_000)
    expect([9_999, 10_000].map((ms) => controller.isQuietFor(ms))).toEqual([true, false])
    expect(controller.lastTurnAt).toBeGreaterThanOrEqual(at('09:59:30'))
    await clock.advanceBy(10_000)
    expect(controller.lastTurnAt).toBe(at('10:00:00'))
    end.abort()
  })

  it('begins nothing before it knows all Jobs', async () => {
    const { clock, server, controller, apply, end, world } = controlling(
      (api, virtual) =>
        new FaultyKubeApi(api, virtual, {
          call: 1,
          fault: 'broken',
          of: ({ verb, resource }) => verb === 'list' && resource === jobs,
          forever: true,
        }),
    )
    apply('backup')
    const running = controller.run(end.signal)
    await clock.advanceBy(120_000)
    expect(controller.isReady).toBe(false)
    expect(server.objects.all(jobs)).toEqual([])
    expect(world.observed).toContain('failed list')
    expect(world.lines).toContainEqual(
      expect.objectContaining({ event: 'error', operation: 'list' }),
    )
    end.abort()
    await running
  })

  it('asks for the KronJobs of its namespace, and for Jobs that bear our label', async () => {
    const queries: unknown[] = []
    const { clock, server, controller, apply, end } = controlling(
      (api) =>
        changedKubeApi(api, {
          list: (resource, query, signal) => {
            queries.push({ of: resource.plural, ...query })
            return api.list(resource, query, signal)
          },
        }),
      'team',
    )
    apply('ours', 'team')
    apply('theirs', 'other')
    void controller.run(end.signal)
    await clock.advanceBy(40_000)
    expect(queries).toEqual([
      { of: 'jobs', namespace: 'team', labelSelector: 'kron.io/name', limit: 500 },
      { of: 'kronjobs', namespace: 'team', limit: 500 },
    ])
    expect(server.objects.all(jobs).map(({ metadata }) => metadata.namespace)).toEqual(['team'])
    end.abort()
  })

  it('has nothing under way any more when it has ended', async () => {
    const under: string[] = []
    const { clock, controller, apply, end } = controlling((api, virtual) =>
      passingKubeApi(api, {
        act: async ({ verb, resource }, effect, signal) => {
          if (verb !== 'create' || resource !== jobs) return effect(signal)
          under.push('asked')
          await virtual.sleep(5000)
          under.push('answered')
          return effect(signal)
        },
        follow: (_, open, signal) => open(signal),
      }),
    )
    apply('backup')
    const running = controller.run(end.signal).then(() => under.push('ended'))
    await clock.advanceBy(31_000)
    end.abort()
    await clock.advanceBy(10_000)
    await running
    expect(under).toEqual(['asked', 'answered', 'ended'])
  })

  it('does nothing at all if its term is over before it begins', async () => {
    const { clock, server, controller, apply, end } = controlling()
    apply('backup')
    end.abort()
    await controller.run(end.signal)
    await clock.advanceBy(60_000)
    expect([controller.isReady, server.objects.all(jobs)]).toEqual([false, []])
  })

  it('that has lost its lease does not call that a failure', async () => {
    const { clock, controller, apply, end, lose, world } = controlling()
    apply('backup')
    void controller.run(end.signal)
    await clock.advanceBy(20_000)
    lose()
    await clock.advanceBy(60_000)
    expect(world.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(world.observed).toEqual([])
    end.abort()
  })
})

describe('a clock that is set', () => {
  it.each([
    ['forward', 2 * 3_600_000, 'info', ['2026-03-01T13:00:00Z']],
    ['back', -2 * 3_600_000, 'warn', []],
  ])('%s is noticed, and nothing that had passed is run', async (_, ms, level, periods) => {
    const c = new VirtualCluster()
    const { stop } = c.startController()
    c.apply('backup', { schedule: '0 9,11,13 * * *' })
    await c.until('10:30:00')
    c.clock.step(ms)
    await c.clock.advanceBy(3_600_000)
    expect(c.logged('clock_jump')).toMatchObject([{ level, jump_ms: ms }])
    expect(c.periods()).toEqual(periods)
    await stop()
  })
})

describe('a clock that was ahead when a leader began', () => {
  it('and is set back keeps no period waiting for what was planned', async () => {
    const c = new VirtualCluster({ fateOf: () => ({ outcome: 'complete', afterMs: 1000 }) })
    const first = c.startController()
    c.apply('backup', { window: { mode: 'after', duration: '59m' } })
    await c.until('09:59:50')
    await first.stop()
    await c.until('13:00:00')
    const { stop } = c.startController()
    await c.clock.advanceBy(1000)
    expect(c.status('backup').nextPeriodID).toBe('2026-03-01T13:00:00Z')
    c.clock.step(-2 * 3_600_000)
    await c.until('12:59:59')
    expect(c.periods()).toEqual(['2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z'])
    await stop()
  })
})

describe('all KronJobs', () => {
  it('are looked at again when they are read again', async () => {
    let looks = 0
    const c = new VirtualCluster()
    const { stop } = c.startController({ observer: { reconciled: () => looks++ } })
    c.apply('backup', { policy: { suspend: true } })
    await c.until('10:25:00')
    const before = looks
    expect(before).toBeGreaterThan(0)
    await c.until('10:40:00')
    expect(looks).toBe(before + 1)
    await stop()
  })
})

describe('an instant at which a KronJob was due', () => {
  it('is not that of a later look', async () => {
    const quotaEnd = at('10:00:30')
    const c = new VirtualCluster({ refusal: (now) => (now < quotaEnd ? overQuota() : null) })
    const { stop } = c.startController()
    c.apply('backup', { policy: { deadline: '10m' } })
    await c.until('10:00:40')
    expect(c.jobs()).toEqual([])
    c.change('backup', { policy: { deadline: '30s' } })
    await c.until('10:01:00')
    expect(c.jobs()).toEqual([])
    expect(c.status('backup').lastOutcome).toBe('missed')
    await stop()
  })
})

describe('an event that can not be told', () => {
  it('is logged with what it is about', async () => {
    const c = new VirtualCluster({
      through: (api, clock) =>
        new FaultyKubeApi(api, clock, ({ verb, resource }) =>
          verb === 'create' && resource === events ? { kind: 'broken' } : null,
        ),
    })
    const { stop } = c.startController()
    c.apply('backup')
    await c.until('10:01:00')
    expect(c.logged('error')[0]).toMatchObject({
      operation: 'tell_JobCreated',
      identity: 'default/backup',
    })
    await stop()
  })
})

describe('what is counted', () => {
  it('is each outcome, each Job with how late it was, and its end', async () => {
    const c = new VirtualCluster({
      fateOf: () => ({ outcome: 'fail', afterMs: 90_000 }),
      through: (api, clock) =>
        passingKubeApi(api, {
          act: async ({ verb, resource }, effect, signal) => {
            if (verb === 'create' && resource === jobs) await clock.sleep(250)
            return effect(signal)
          },
          follow: (_, open, signal) => open(signal),
        }),
    })
    const { stop } = c.startController()
    c.apply('backup', { schedule: '* * * * *' })
    await c.until('10:01:45')
    expect(c.observed).toEqual([
      'handled executed',
      'started 250',
      'handled skipped',
      'ended failed',
    ])
    await stop()
  })

  it('is each request that failed', async () => {
    const c = new VirtualCluster({
      through: (api, clock) =>
        new FaultyKubeApi(api, clock, [
          { call: 1, fault: 'broken', of: ({ verb }) => verb === 'tryCreate' },
          { call: 1, fault: 'broken', of: ({ verb }) => verb === 'patch' },
          {
            call: 1,
            fault: 'broken',
            of: ({ verb, resource }) => verb === 'create' && resource === jobs,
          },
          { call: 1, fault: 'cut', of: ({ verb }) => verb === 'watch' },
        ]),
    })
    const { stop } = c.startController()
    c.apply('backup', { policy: { deadline: '1m' } })
    await c.until('10:00:30')
    expect(c.observed).toEqual([
      'failed check_template',
      'failed write_status',
      'failed create_job',
      'handled executed',
      expect.stringMatching(/^started 1\d\d$/),
    ])
    await stop()
  })
})
