import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import type { WatchEvent } from '../../src/kube/kube-api.js'
import { jobs, kronJobs } from '../../src/kube/kube-object.js'
import type { FaultKind, FaultPlan, FaultSource } from './fault-plan.js'
import { FaultyKubeApi } from './faulty-kube-api.js'
import { MemoryKubeApi } from './memory-kube-api.js'

const namespace = 'default'
const job = (name: string) => ({ metadata: { name, namespace } })

function setup(faults: FaultPlan | readonly FaultPlan[] | FaultSource | null) {
  const clock = new VirtualClock(new Date('2025-03-01T08:00:00Z'))
  const server = new MemoryKubeApi({ clock })
  const names = () => server.objects.all(jobs).map(({ metadata }) => metadata.name)
  return { clock, server, names, api: new FaultyKubeApi(server, clock, faults) }
}

/** Creates a Job while time passes: its failure, and how long it took. */
async function failureOf({ api, clock }: ReturnType<typeof setup>, signal?: AbortSignal) {
  const startedAt = clock.now().getTime()
  const creating = api.create(jobs, job('a'), signal).then(
    () => null,
    (error: unknown) => ({ error, tookMs: clock.now().getTime() - startedAt }),
  )
  await clock.advanceBy(20_000)
  return creating
}

describe('a planned fault', () => {
  it.each<[FaultKind, object]>([
    ['conflict', { status: 409, reason: 'Conflict' }],
    ['expired', { status: 410, reason: 'Expired' }],
    ['throttled', { status: 429, retryAfterMs: 1000 }],
    ['broken', { status: 500 }],
    ['unavailable', { status: 503 }],
    ['cut', { status: null, isAmbiguous: true }],
  ])('%s is answered at once and without effect', async (fault, error) => {
    const world = setup({ fault, call: 1 })
    expect(await failureOf(world)).toMatchObject({ error, tookMs: 0 })
    expect(world.names()).toEqual([])
  })

  it('timed-out has no effect, and the caller waits for nothing', async () => {
    const world = setup({ fault: 'timed-out', call: 1 })
    expect(await failureOf(world)).toMatchObject({ error: { status: null }, tookMs: 10_000 })
    await world.clock.runUntilIdle()
    expect(world.names()).toEqual([])
  })

  it('timed-out ends early when the caller aborts', async () => {
    const world = setup({ fault: 'timed-out', call: 1 })
    const abort = new AbortController()
    const failing = failureOf(world, abort.signal)
    abort.abort(new Error('enough'))
    expect(await failing).toMatchObject({ error: { message: 'enough' } })
    expect(world.clock.pending).toBe(0)
  })

  it('lost-answer takes effect', async () => {
    const world = setup({ fault: 'lost-answer', call: 1 })
    expect(await failureOf(world)).toMatchObject({ error: { status: null }, tookMs: 0 })
    expect(world.names()).toEqual(['a'])
  })

  it('late takes effect when the caller has given up long ago', async () => {
    const world = setup({ fault: 'late', call: 1 })
    expect(await failureOf(world)).toMatchObject({ error: { status: null }, tookMs: 10_000 })
    expect(world.names()).toEqual([])
    await world.clock.advanceBy(9999)
    expect(world.names()).toEqual([])
    await world.clock.advanceBy(1)
    expect(world.names()).toEqual(['a'])
  })

  it('hits the call of its number among those that it counts', async () => {
    const { api, names } = setup([
      { fault: 'broken', call: 2, of: ({ verb }) => verb === 'create' },
      { fault: 'throttled', call: 1, of: ({ name }) => name === 'd', forever: true },
    ])
    await api.create(jobs, job('a'))
    await api.list(jobs, {})
    await expect(api.create(jobs, job('b'))).rejects.toMatchObject({ status: 500 })
    await api.create(jobs, job('c'))
    for (let at = 0; at < 3; at++) {
      await expect(api.create(jobs, job('d'))).rejects.toMatchObject({ status: 429 })
    }
    expect(names()).toEqual(['a', 'c'])
  })

  it('can be decided call by call', async () => {
    const { api } = setup(({ number }) => (number % 2 === 0 ? { kind: 'unavailable' } : null))
    await api.create(jobs, job('a'))
    await expect(api.create(jobs, job('b'))).rejects.toMatchObject({ status: 503 })
    await api.create(jobs, job('b'))
  })

  it('leaves a log of all calls, failed or not', async () => {
    const { api } = setup({ fault: 'broken', call: 2 })
    await api.create(jobs, job('a'))
    await api.delete(jobs, { namespace, name: 'a' }, { propagation: 'Background' }).catch(() => 0)
    await api.patch(jobs, { namespace, name: 'a' }, {}, { subresource: 'status' })
    await api.list(kronJobs, {})
    api.watch(jobs, { resourceVersion: '', timeoutSeconds: 1 }, new AbortController().signal)
    expect(api.calls).toEqual([
      { number: 1, verb: 'create', resource: jobs, namespace, name: 'a' },
      { number: 2, verb: 'delete', resource: jobs, namespace, name: 'a' },
      { number: 3, verb: 'patch', resource: jobs, namespace, name: 'a', subresource: 'status' },
      { number: 4, verb: 'list', resource: kronJobs, namespace: '', name: '' },
      { number: 5, verb: 'watch', resource: jobs, namespace: '', name: '' },
    ])
  })
})

describe('a planned fault of a watch', () => {
  async function watched(faults: FaultPlan) {
    const world = setup(faults)
    const { resourceVersion } = await world.server.list(jobs, {})
    for (const name of ['a', 'b', 'c']) await world.server.create(jobs, job(name))
    const seen: WatchEvent[] = []
    const query = { resourceVersion, timeoutSeconds: 60 }
    const run = async (): Promise<unknown> => {
      const events = world.api.watch(jobs, query, new AbortController().signal)
      for await (const event of events) seen.push(event)
      return 'ended'
    }
    const running = run().catch((error: unknown) => error)
    await world.clock.runUntilIdle()
    const outcome = await running
    const elapsedMs = world.clock.now().getTime() - Date.parse('2025-03-01T08:00:00Z')
    const names = seen.map(({ object }) => object.metadata.name)
    return { outcome, names, elapsedMs, openWatches: world.server.openWatches }
  }

  it('hits its beginning', async () => {
    const { outcome, names } = await watched({ fault: 'expired', call: 1 })
    expect(outcome).toMatchObject({ status: 410 })
    expect(names).toEqual([])
  })

  it('hits it after some events, as an ERROR event would', async () => {
    const { outcome, names, openWatches } = await watched({
      fault: { kind: 'expired', afterEvents: 2 },
      call: 1,
    })
    expect(outcome).toMatchObject({ status: 410 })
    expect(names).toEqual(['a', 'b'])
    expect(openWatches).toBe(0)
  })

  it('ends it quietly after some events', async () => {
    const fault = { kind: 'cut', afterEvents: 1 } as const
    const { outcome, names, elapsedMs } = await watched({ fault, call: 1 })
    expect({ outcome, names, elapsedMs }).toEqual({ outcome: 'ended', names: ['a'], elapsedMs: 0 })
  })
})
