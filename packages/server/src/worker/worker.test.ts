import { createLog, MetricRegistry, VirtualClock } from '@kron/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byInterval, sampleNow } from '../../test/sample-endpoint.js'
import { SampleStore } from '../../test/sample-store.js'
import { createAddressGuard, type Dispatcher } from '../dispatch/index.js'
import { type Endpoint, type EndpointDefinition, type Run, runId } from '../domain/index.js'
import { createVault, newSealingKeyText, parseSealingKeys } from '../secrets/index.js'
import { type Call, cancelRun, inCall, runEndpoint } from '../service/index.js'
import { type Store, StoreError } from '../store/index.js'
import { usualWorkerLimits, Worker, type WorkerOptions } from './worker.js'

const vault = createVault(parseSealingKeys(newSealingKeyText(), 'test'))
const minute = 60_000
const never = Number.MAX_SAFE_INTEGER
const lost = () => new StoreError('timeout', 'the answer got lost', 'unknown')
const away = () => new StoreError('unavailable', 'the store is away', 'no')

let clock: VirtualClock
let sample: SampleStore
/** All requests, by milliseconds from the beginning. */
let sent: { readonly id: string; readonly at: number; endedAt: number | null }[]
let lines: string[]
let metrics: MetricRegistry
/** How long the target of an endpoint takes; 100 ms where nothing is said. */
let takesMs: Map<string, number>

const ms = () => clock.now().getTime() - sampleNow
const at = (instant: number) => clock.advanceTo(sampleNow + instant)

beforeEach(async () => {
  clock = new VirtualClock(sampleNow)
  sample = await SampleStore.open()
  Object.defineProperty(sample, 'now', { get: () => clock.now().getTime() })
  sent = []
  lines = []
  takesMs = new Map()
})

afterEach(() => sample.store.close())

const dispatcher: Dispatcher = {
  close: async () => undefined,
  send: async ({ headers, timeoutMs }, signal) => {
    const id = headers['kron-run-id']!
    const entry: (typeof sent)[number] = { id, at: ms(), endedAt: null }
    sent.push(entry)
    const wanted = takesMs.get(`ep_${id.split('_')[1]}`) ?? 100
    const status = await clock.sleep(Math.min(wanted, timeoutMs), signal).then(
      () => (wanted > timeoutMs ? 'timeout' : 'success'),
      () => 'cancelled' as const,
    )
    entry.endedAt = ms()
    const result = { headers: {}, body: Buffer.from('hello'), truncated: false }
    const times = { startedAt: sampleNow + entry.at, endedAt: sampleNow + entry.endedAt }
    return status === 'success'
      ? { ...result, ...times, status, httpStatus: 200, error: null }
      : { ...result, ...times, status, httpStatus: null, error: { code: status, message: '' } }
  },
}

/** The store as the worker sees it, with something between the two. */
function between(change: Partial<Store>): Store {
  const { store } = sample
  const calls: Partial<Store> = {
    signals: store.signals,
    time: () => store.time(),
    claim: (request, planning) => store.claim(request, planning),
    settleClaim: (claimId, planning) => store.settleClaim(claimId, planning),
    record: (outcomes, planning) => store.record(outcomes, planning),
    tenant: (tenantId, work) => store.tenant(tenantId, work),
  }
  return { ...calls, ...change } as Store
}

function started(change: Partial<WorkerOptions> = {}): Worker {
  metrics = new MetricRegistry()
  const write = (line: string) => void lines.push(line)
  const worker = new Worker({
    ...usualWorkerLimits,
    store: sample.store,
    dispatcher,
    vault,
    // The wall clock of its machine is an hour off, and its stopwatch began some time ago.
    clock: {
      now: () => new Date(clock.now().getTime() + 60 * minute),
      sleep: clock.sleep.bind(clock),
    },
    elapsed: () => ms() + 5_000_000,
    random: () => 0,
    log: createLog({ clock, component: 'worker', level: 'warn', format: 'json', write }),
    metrics,
    ...change,
  })
  worker.start()
  return worker
}

/** Lets time pass until the worker has stopped; null when it has not after a while. */
async function stopped(worker: Worker, graceMs: number): Promise<number | null> {
  let stoppedAt: number | null = null
  void worker.stop(graceMs).then(() => {
    stoppedAt = ms()
  })
  for (let n = 0; n < 5_000 && stoppedAt === null; n++) await clock.advanceBy(10)
  return stoppedAt
}

/** An endpoint whose first run is due a minute after the beginning. */
const added = (change: Partial<EndpointDefinition> = {}): Promise<Endpoint> =>
  sample.addEndpoint({ ...byInterval(minute), ...change })

const firstRunOf = ({ id }: Endpoint): string =>
  runId({ endpointId: id, scheduledFor: sampleNow + minute })

const runsOf = async ({ id }: Endpoint): Promise<readonly Run[]> => {
  const page = { endpointId: id, limit: 100, after: null }
  const { items } = await sample.store.tenant(sample.tenantId, (rows) => rows.runs.list(page))
  return items.toReversed()
}

/** As the API would. */
const call = <T>(work: (call: Call) => Promise<T>): Promise<T> => {
  const ports = { store: sample.store, vault, addressGuard: createAddressGuard() }
  return inCall(ports, { tenantId: sample.tenantId, actor: 'key:1' }, work)
}

describe('a worker', () => {
  it('claims a run ahead of its time and sends it when it is due, and not before', async () => {
    const endpoint = await added()
    const worker = started()
    await at(minute - 301)
    expect(await runsOf(endpoint)).toEqual([])
    await at(minute - 1)
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'running', owner: worker.id }])
    expect([sent, worker.inFlight]).toEqual([[], 1])
    await at(minute + 1_000)
    expect(sent).toMatchObject([{ id: firstRunOf(endpoint), at: minute, endedAt: minute + 100 }])
    const startedAt = sampleNow + minute
    const success = { status: 'success', startedAt, endedAt: startedAt + 100, attempts: 1 }
    expect(await runsOf(endpoint)).toMatchObject([success])
    expect(worker.inFlight).toBe(0)
  })

  it('sends the runs of a short interval in time, however long it meant to sleep', async () => {
    await added(byInterval(1_000))
    started()
    await at(4_500)
    expect(sent.map((one) => one.at)).toEqual([1_000, 2_000, 3_000, 4_000])
  })

  it('begins when the store comes back', async () => {
    await added()
    const backAt = minute + 5_000
    const time = () => (ms() < backAt ? Promise.reject(away()) : sample.store.time())
    started({ store: between({ time }) })
    await at(minute + 6_000)
    expect(sent.map((one) => one.at)).toEqual([backAt])
  })

  it('tells how runs began and ended', async () => {
    const endpoint = await added()
    const events: string[] = []
    sample.store.signals.onEvent(sample.tenantId, ({ type, subject, status, at: when }) =>
      events.push(`${when - sampleNow} ${type} ${subject} ${status}`),
    )
    started()
    await at(minute + 1_000)
    const id = firstRunOf(endpoint)
    expect(events).toEqual([
      `${minute} run.started ${id} running`,
      `${minute + 100} run.ended ${id} success`,
    ])
  })

  it.each([true, false])('keeps the body of a response: %s', async (keepResponses) => {
    const endpoint = await added({ keepResponses })
    started()
    await at(minute + 1_000)
    const [run] = await runsOf(endpoint)
    expect(run!.response).toMatchObject({ httpStatus: 200, bodyBytes: keepResponses ? 5 : 0 })
    const body = await sample.store.tenant(sample.tenantId, (rows) => rows.runs.body(run!))
    expect(Buffer.from(body ?? []).toString()).toBe(keepResponses ? 'hello' : '')
  })

  it('has no more runs in flight than it may, and gets to all of them', async () => {
    for (let n = 0; n < 5; n++) takesMs.set((await added()).id, 1_000)
    const worker = started({ mostInFlight: 2 })
    for (const sentThen of [2, 4, 5]) {
      await clock.advanceBy(ms() === 0 ? minute + 500 : 1_000)
      expect([sent.length, worker.inFlight]).toEqual([sentThen, sentThen === 5 ? 1 : 2])
    }
    expect(new Set(sent.map(({ id }) => id)).size).toBe(5)
  })

  it('does not let a broken endpoint hold up the others', async () => {
    const unopenable = await added({ headers: { authorization: 'sealed with a lost key' } })
    const hanging = await added()
    takesMs.set(hanging.id, never)
    const unplannable = await added()
    await sample.store.tenant(sample.tenantId, async (rows) => {
      const { endpoint, plan } = (await rows.endpoints.get(unplannable.id))!
      const baseline = { ...endpoint.definition.baseline, intervalMs: null, cron: 'no schedule' }
      const definition = { ...endpoint.definition, baseline }
      await rows.endpoints.update({ ...endpoint, version: 2, definition })
      await rows.plans.put({ ...plan, version: 2 })
    })
    const fine = await added()
    started()
    await at(minute + 1_000)
    expect(sent.map(({ id }) => id).sort()).toEqual([hanging, fine].map(firstRunOf).sort())
    expect(await runsOf(fine)).toMatchObject([{ status: 'success' }])
    const error = { code: 'request_failed' }
    expect(await runsOf(unopenable)).toMatchObject([{ status: 'failure', attempts: 0, error }])
    expect(await runsOf(unplannable)).toEqual([])
    const line = { event: 'endpoint_broken', endpoint: unplannable.id }
    expect(lines.map((one) => JSON.parse(one))).toMatchObject([line])
  })

  it.each([
    ['at once when a signal tells of it', true, 5_100],
    ['within two seconds when no signal does', false, 6_000],
  ])('finds a run that is asked for %s', async (_, isHeard, sentAt) => {
    const endpoint = await added()
    const none = () => () => undefined
    const signals = { onWake: none, onAbort: none, onEvent: none, publish: () => undefined }
    started(isHeard ? {} : { store: between({ signals }) })
    await at(5_100)
    await call((one) => runEndpoint(one, endpoint.id))
    await at(10_000)
    expect(sent.map((one) => one.at)).toEqual([sentAt])
  })
})

describe('a run that the API cancels', () => {
  it('before it is due is never sent, and the next one comes in its time', async () => {
    const endpoint = await added()
    const worker = started()
    await at(minute - 100)
    expect(worker.inFlight).toBe(1)
    const events: string[] = []
    sample.store.signals.onEvent(sample.tenantId, ({ type }) => events.push(type))
    await call((one) => cancelRun(one, firstRunOf(endpoint)))
    await at(2 * minute - 1)
    expect(metrics.expose()).toContain('kron_runs_total{status="cancelled"} 1')
    expect([...new Set(events)]).toEqual(['run.ended'])
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'cancelled', reason: 'user' }, {}])
    await at(2 * minute + 1_000)
    expect(sent.map((one) => one.at)).toEqual([2 * minute])
  })

  it('while it is sent is given up at once, and lets the next one come', async () => {
    const endpoint = await added()
    takesMs.set(endpoint.id, never)
    started()
    await at(minute + 5_000)
    await call((one) => cancelRun(one, firstRunOf(endpoint)))
    await at(minute + 6_000)
    expect(sent).toMatchObject([{ at: minute, endedAt: minute + 5_000 }])
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'cancelled', reason: 'user' }])
    await at(2 * minute + 1_000)
    expect(sent).toHaveLength(2)
  })

  it('without the worker hearing of it has its result refused', async () => {
    const endpoint = await added()
    takesMs.set(endpoint.id, 5_000)
    const worker = started()
    await at(minute + 1_000)
    const key = { endpointId: endpoint.id, scheduledFor: sampleNow + minute }
    const end = { status: 'cancelled', reason: 'user', at: sample.now } as const
    await sample.store.tenant(sample.tenantId, (rows) => rows.runs.end(key, end))
    await at(minute + 6_000)
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'cancelled', response: null }])
    expect(metrics.expose()).toContain('kron_outcomes_fenced_total 1')
    expect(JSON.parse(lines[0]!)).toMatchObject({ event: 'outcome_fenced', status: 'success' })
    expect(worker.inFlight).toBe(0)
  })
})

describe('a claim that fails', () => {
  /** The first claim for the run fails, and so does the first question what became of it. */
  function failingOnce(error: StoreError, takesEffect: boolean) {
    const calls: string[] = []
    const store = between({
      claim: async (request, planning) => {
        const isTurn = ms() >= minute - 300 && !calls.includes('failed')
        calls.push(isTurn ? 'failed' : 'claim')
        if (!isTurn) return sample.store.claim(request, planning)
        if (takesEffect) await sample.store.claim(request, planning)
        throw error
      },
      settleClaim: (claimId, planning) => {
        calls.push('settle')
        if (calls.at(-2) === 'failed') return Promise.reject(away())
        return sample.store.settleClaim(claimId, planning)
      },
    })
    return { store, calls }
  }

  it.each<[string, StoreError, boolean, string[]]>([
    ['after it took effect is settled before the next one', lost(), true, ['settle', 'settle']],
    ['before it took effect is settled before the next one', lost(), false, ['settle', 'settle']],
    ['for certain is not asked about', away(), false, []],
  ])('%s, and its run is sent once', async (_, error, takesEffect, settling) => {
    const endpoint = await added()
    const { store, calls } = failingOnce(error, takesEffect)
    started({ store })
    await at(minute + 1_000)
    const after = calls.slice(calls.indexOf('failed') + 1)
    expect(after.slice(0, settling.length + 1)).toEqual([...settling, 'claim'])
    expect(sent).toMatchObject([{ id: firstRunOf(endpoint), at: minute }])
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'success', attempts: 1 }])
  })
})

describe('a worker that stops', () => {
  it('gives back what is not sent, and another one sends it in time', async () => {
    const endpoint = await added()
    const worker = started()
    await at(minute - 200)
    expect(worker.inFlight).toBe(1)
    expect(await stopped(worker, 10_000)).toBeLessThan(minute)
    expect(await runsOf(endpoint)).toEqual([])
    started()
    await at(minute + 1_000)
    expect(sent).toMatchObject([{ id: firstRunOf(endpoint), at: minute }])
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'success' }])
  })

  it('gives back what a claim that was under way has brought', async () => {
    const endpoint = await added()
    const store = between({
      claim: async (request, planning) => {
        const claim = await sample.store.claim(request, planning)
        if (claim.claimed.length > 0) await clock.sleep(100)
        return claim
      },
    })
    const worker = started({ store })
    await at(minute - 250)
    expect([(await runsOf(endpoint)).length, worker.inFlight]).toEqual([1, 0])
    expect(await stopped(worker, 10_000)).toBeLessThan(minute)
    expect([await runsOf(endpoint), worker.inFlight]).toEqual([[], 0])
  })

  it('asks what became of a claim, and gives back what it has brought', async () => {
    const endpoint = await added()
    const store = between({
      claim: async (request, planning) => {
        const claim = await sample.store.claim(request, planning)
        if (claim.claimed.length === 0) return claim
        await clock.sleep(100)
        throw lost()
      },
    })
    const worker = started({ store })
    await at(minute - 250)
    expect(await runsOf(endpoint)).toHaveLength(1)
    expect(await stopped(worker, 10_000)).toBeLessThan(minute)
    expect(await runsOf(endpoint)).toEqual([])
  })

  it('waits for what is sent, and claims nothing more', async () => {
    const endpoint = await added()
    await added(byInterval(minute + 2_000))
    takesMs.set(endpoint.id, 5_000)
    const worker = started()
    await at(minute + 1_000)
    expect(await stopped(worker, 30_000)).toBe(minute + 5_000 + usualWorkerLimits.gatherMs)
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'success' }])
    expect(sent).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  it('cancels what has not ended after its grace', async () => {
    const endpoint = await added()
    takesMs.set(endpoint.id, never)
    const worker = started()
    await at(minute + 1_000)
    expect(await stopped(worker, 3_000)).toBe(minute + 4_000 + usualWorkerLimits.gatherMs)
    expect(sent).toMatchObject([{ endedAt: minute + 4_000 }])
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'cancelled', reason: 'shutdown' }])
  })

  it('gives up after a while when the store is away, and leaves the rest to the lease', async () => {
    const endpoint = await added()
    const store = between({ record: () => Promise.reject(away()) })
    const worker = started({ store })
    await at(minute + 1_000)
    const stoppedAt = await stopped(worker, 30_000)
    expect(stoppedAt).toBeGreaterThanOrEqual(minute + 16_000)
    expect(stoppedAt).toBeLessThanOrEqual(minute + 18_000)
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'running' }])
    started()
    await at(2 * minute + 3_000)
    expect((await runsOf(endpoint))[0]).toMatchObject({ reason: 'worker_lost' })
    expect(sent.filter(({ id }) => id === firstRunOf(endpoint))).toHaveLength(1)
  })
})

describe('a run that comes back to the same worker', () => {
  it('is not forgotten when the result of its first delivery is refused', async () => {
    const endpoint = await added({ onWorkerLoss: 'redeliver' })
    const backAt = 2 * minute + 2_100
    const record: Store['record'] = (outcomes, planning) =>
      ms() < backAt ? Promise.reject(away()) : sample.store.record(outcomes, planning)
    const worker = started({ store: between({ record }) })
    await at(minute + 1_000)
    takesMs.set(endpoint.id, never)
    await at(backAt)
    expect(sent.map(({ id }) => id)).toEqual([firstRunOf(endpoint), firstRunOf(endpoint)])
    await at(backAt + 3_000)
    expect(metrics.expose()).toContain('kron_outcomes_fenced_total 1')
    expect(worker.inFlight).toBe(1)
    await stopped(worker, 1_000)
    expect(await runsOf(endpoint)).toMatchObject([{ status: 'cancelled', reason: 'shutdown' }])
  })
})
