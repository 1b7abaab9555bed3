import { createLog, MetricRegistry } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byCron, byInterval } from '../../testing/sample-endpoint.js'
import { answered, SampleStore } from '../../testing/sample-store.js'
import { silentLog } from '../../testing/silent-log.js'
import {
  defaultDefinition,
  type Endpoint,
  type EndpointDefinition,
  noSystemQuotas,
  type PlannerSession,
} from '../domain/index.js'
import type { Store } from '../store/index.js'
import type { Planner, PlannerInput } from './planner.js'
import { plannerLoop } from './planner-loop.js'
import { rulesPlanner } from './rules/rules-planner.js'

const minute = 60_000

let sample: SampleStore

beforeEach(async () => {
  sample = await SampleStore.open()
})

afterEach(async () => {
  await sample.store.close()
})

/** An endpoint on which planners may act. */
function added(change: Partial<EndpointDefinition> = {}, tenantId?: string) {
  return sample.addEndpoint({ planner: 'on', ...change }, tenantId)
}

/** Runs the loop for a few seconds of virtual time. */
async function looked(planners: readonly Planner[], store: Store = sample.store, ms = 10_000) {
  const clock = new VirtualClock(sample.now)
  const lines: string[] = []
  const log = createLog({
    format: 'json',
    level: 'debug',
    component: 'planner',
    clock,
    write: (line) => void lines.push(line),
  })
  const metrics = new MetricRegistry()
  const stop = new AbortController()
  const options = { store, planners, clock, log, metrics, batch: 3, concurrency: 2 }
  const loop = plannerLoop(options, stop.signal)
  await clock.advanceBy(ms)
  stop.abort()
  await loop
  return { lines: lines.map((line) => JSON.parse(line)), metrics: metrics.expose() }
}

const sessionsOf = async (endpoint: Endpoint): Promise<readonly PlannerSession[]> =>
  (
    await sample.store.tenant(endpoint.tenantId, (rows) =>
      rows.sessions.list({ endpointId: endpoint.id, limit: 50, after: null }),
    )
  ).items

const usage = () => sample.store.tenant(sample.tenantId, (rows) => rows.tenant.usage())

/** A planner that costs, and remembers what it was asked. */
function costly(change: Partial<Planner> = {}): Planner & { readonly asked: PlannerInput[] } {
  const asked: PlannerInput[] = []
  return {
    name: 'model',
    callsEach: 1,
    propose: async (input) => {
      asked.push(input)
      return { said: 'hm', actions: [], cost: { calls: 3, tokens: 700 } }
    },
    ...change,
    asked,
  }
}

/** A planner that costs nothing, and always has something to say. */
const free: Planner = {
  name: 'rules',
  callsEach: 0,
  propose: async () => ({ said: 'hm', actions: [], cost: { calls: 0, tokens: 0 } }),
}

async function failTimes(endpoint: Endpoint, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await sample.run(endpoint, answered(500))
}

describe('the loop of planners', () => {
  it('pauses an endpoint that is gone', async () => {
    const endpoint = await added(byInterval(minute))
    await sample.run(endpoint, answered(410))
    const events: string[] = []
    sample.store.signals.onEvent(sample.tenantId, ({ type, subject }) =>
      events.push(`${type} ${subject}`),
    )
    const { lines, metrics } = await looked([rulesPlanner])
    expect(await sample.planOf(endpoint)).toMatchObject({
      source: 'paused',
      pauseReason: 'answered 410 Gone; asked again after a week',
    })
    expect(events).toEqual([`endpoint.changed ${endpoint.id}`])
    expect(lines).toMatchObject([
      { event: 'planner_acted', identity: endpoint.id, actions: ['pauseUntil'] },
    ])
    expect(metrics).toContain('kron_planner_sessions_total{planner="rules",result="acted"} 1')
    expect(metrics).toContain('kron_planner_actions_total{planner="rules",action="pauseUntil"} 1')
    const [session] = await sessionsOf(endpoint)
    expect(session!.read).toMatchObject({
      why: 'failure',
      band: { baselineMs: minute },
      health: { streak: { status: 'failure', length: 1 } },
      runs: [{ status: 'failure', httpStatus: 410 }],
    })
  })

  it('moves nothing by default: it suggests', async () => {
    const { planner } = defaultDefinition
    const endpoint = await added({ ...byInterval(minute), planner })
    await sample.run(endpoint, answered(410))
    const before = await sample.planOf(endpoint)
    const { lines, metrics } = await looked([rulesPlanner])
    expect(await sample.planOf(endpoint)).toEqual(before)
    expect(await sessionsOf(endpoint)).toMatchObject([
      {
        actions: [],
        suggested: [
          {
            action: { kind: 'pauseUntil' },
            before: { source: 'baseline-interval' },
            after: { source: 'paused' },
          },
        ],
      },
    ])
    expect(lines).toMatchObject([{ event: 'planner_suggested', suggested: ['pauseUntil'] }])
    expect(metrics).toContain('kron_planner_sessions_total{planner="rules",result="suggested"} 1')
  })

  it('keeps nothing of a planner that has nothing to say', async () => {
    const endpoint = await added(byInterval(minute))
    await sample.run(endpoint, answered(500))
    const { lines, metrics } = await looked([rulesPlanner])
    expect(await sessionsOf(endpoint)).toEqual([])
    expect(lines).toEqual([])
    expect(metrics).toContain('kron_planner_sessions_total{planner="rules",result="passed"} 1')
  })

  it('tells planners the gap of a schedule, whatever hints, pauses and limits it has', async () => {
    const endpoint = await added({ ...byCron('*/10 * * * *'), maxIntervalMs: minute })
    await sample.run(endpoint, answered(500))
    await sample.store.tenant(sample.tenantId, async (rows) => {
      const { plan } = (await rows.endpoints.get(endpoint.id))!
      const given = { expiresAt: sample.now + 10 * minute, reason: null, by: 'key_1' }
      await rows.plans.put({
        ...plan,
        pausedUntil: sample.now + minute,
        intervalHint: { ...given, intervalMs: 7000 },
        oneShotHint: { ...given, nextRunAt: sample.now + 3000 },
      })
    })
    const planner = costly()
    await looked([planner])
    expect(planner.asked.map(({ band }) => band.baselineMs)).toEqual([10 * minute])
  })

  it('shows a planner neither header values nor the body', async () => {
    const secret = 'sealed-value'
    const body = { kind: 'text' as const, content: secret, contentType: null }
    const endpoint = await added({ headers: { authorization: secret }, body })
    await sample.run(endpoint, answered(500))
    const planner = costly()
    await looked([planner])
    expect(planner.asked).toHaveLength(1)
    expect(JSON.stringify(planner.asked)).not.toContain(secret)
  })

  it('holds no session about an endpoint with planner: off', async () => {
    const endpoint = await added({ planner: 'off' })
    await failTimes(endpoint, 4)
    const planner = costly()
    const { metrics } = await looked([rulesPlanner, planner])
    expect(planner.asked).toEqual([])
    expect(await sessionsOf(endpoint)).toEqual([])
    expect(metrics).toContain('kron_planner_sessions_total{planner="rules",result="passed"} 1')
    expect((await usage()).aiCalls).toBe(0)
  })

  it('goes on with the others when one fails, and keeps its session', async () => {
    const endpoints: Endpoint[] = []
    for (let n = 0; n < 7; n++) {
      const endpoint = await added(byInterval(minute))
      await sample.run(endpoint, answered(500))
      endpoints.push(endpoint)
    }
    const broken = endpoints[2]!
    const planner = costly({
      propose: async ({ endpoint }) => {
        if (endpoint.id === broken.id) throw new Error('no answer')
        return { said: 'fine', actions: [], cost: { calls: 1, tokens: 0 } }
      },
    })
    const { lines, metrics } = await looked([planner])
    const said = await Promise.all(
      endpoints.map(async (endpoint) => (await sessionsOf(endpoint)).map((one) => one.said)),
    )
    expect(said).toEqual(
      endpoints.map(({ id }) => [id === broken.id ? 'The planner failed: no answer' : 'fine']),
    )
    expect(lines).toMatchObject([
      { event: 'error', identity: broken.id, operation: 'planner_session', message: 'no answer' },
    ])
    expect(metrics).toContain('kron_planner_sessions_total{planner="model",result="failed"} 1')
    expect(metrics).toContain('kron_planner_sessions_total{planner="model",result="quiet"} 6')
    expect((await usage()).aiCalls).toBe(7)
  })

  it('lets each planner see what the one before has done', async () => {
    const endpoint = await added(byInterval(minute))
    await sample.run(endpoint, answered(410))
    const planner = costly()
    await looked([rulesPlanner, planner])
    expect(planner.asked.map(({ plan }) => plan.pauseReason)).toEqual([
      'answered 410 Gone; asked again after a week',
    ])
  })

  it('tells an endpoint about its siblings', async () => {
    const crowd = []
    for (let n = 0; n < 12; n++) crowd.push(await added(byCron('0 * * * *')))
    await sample.run(crowd[0]!, answered(500))
    await looked([free])
    const [session] = await sessionsOf(crowd[0]!)
    expect(session!.read).toMatchObject({ siblings: { endpoints: 11, sameHost: 11 } })
  })

  it('waits out a store that can not be reached', async () => {
    const endpoint = await added(byInterval(minute))
    await sample.run(endpoint, answered(500))
    let refusals = 2
    const store: Store = Object.assign(Object.create(sample.store), {
      tenant: sample.store.tenant.bind(sample.store),
      system: (work: never) => {
        if (refusals-- > 0) return Promise.reject(new Error('no connection'))
        return sample.store.system(work)
      },
    })
    Object.defineProperty(store, 'signals', { value: sample.store.signals })
    const { lines } = await looked([free], store)
    expect(lines.map(({ message }) => message)).toEqual(['no connection', 'no connection'])
    expect(await sessionsOf(endpoint)).toHaveLength(1)
  })

  it('goes on at once while as many ask as it takes from the list', async () => {
    for (let n = 0; n < 7; n++) await failTimes(await added(byInterval(minute)), 1)
    const planner = costly()
    await looked([planner], sample.store, 1_999)
    expect(planner.asked).toHaveLength(7)
  })

  it('begins no other session once it is told to end', async () => {
    for (let n = 0; n < 3; n++) await failTimes(await added(byInterval(minute)), 1)
    const stop = new AbortController()
    const clock = new VirtualClock(sample.now)
    const planner = costly({
      propose: async () => {
        stop.abort()
        return { said: 'hm', actions: [], cost: { calls: 1, tokens: 0 } }
      },
    })
    const ports = { store: sample.store, clock, log: silentLog(clock) }
    const options = { ...ports, planners: [planner], metrics: new MetricRegistry() }
    await plannerLoop({ ...options, batch: 3, concurrency: 1 }, stop.signal)
    expect((await usage()).aiCalls).toBe(1)
  })

  it('ends when it is told to', async () => {
    const stopped = new AbortController()
    stopped.abort()
    const clock = new VirtualClock(sample.now)
    const ports = { store: sample.store, clock, log: silentLog(clock) }
    const options = { ...ports, planners: [], metrics: new MetricRegistry() }
    await plannerLoop(options, stopped.signal)
    expect(clock.pending).toBe(0)
  })
})

describe('the AI quota', () => {
  it('is counted before the call, and the rest after it', async () => {
    const endpoint = await added()
    await sample.run(endpoint, answered(500))
    const before: number[] = []
    const planner = costly({
      propose: async () => {
        before.push((await usage()).aiCalls)
        return { said: '', actions: [], cost: { calls: 3, tokens: 700 } }
      },
    })
    await looked([planner])
    expect(before).toEqual([1])
    expect(await usage()).toMatchObject({ aiCalls: 3, aiTokens: 700 })
  })

  it('of calls may be used to the last one', async () => {
    await sample.store.close()
    sample = await SampleStore.open({ quotas: { aiCallsPerMonth: 2 } })
    const endpoint = await added(byInterval(minute))
    const planner = costly({
      propose: async () => ({ said: '', actions: [], cost: { calls: 1, tokens: 5 } }),
    })
    for (const calls of [1, 2, 2]) {
      await failTimes(endpoint, 1)
      await looked([planner])
      expect((await usage()).aiCalls).toBe(calls)
    }
  })

  it.each([
    ['calls', { aiCallsPerMonth: 3 }],
    ['tokens', { aiTokensPerMonth: 700 }],
  ])('of %s stops planners that cost, and no others', async (_, quotas) => {
    await sample.store.close()
    sample = await SampleStore.open({ quotas })
    const endpoint = await added(byInterval(minute))
    const planner = costly()
    await failTimes(endpoint, 2)
    await looked([free, planner])
    await failTimes(endpoint, 1)
    await looked([free, planner])
    expect(planner.asked).toHaveLength(1)
    expect((await sessionsOf(endpoint)).map((session) => session.planner)).toEqual(
      expect.arrayContaining(['rules', 'rules', 'model']),
    )
    expect(await usage()).toMatchObject({ aiCalls: 3, aiTokens: 700 })
  })

  it.each([
    ['calls', { aiCallsPerMonth: 3 }],
    ['tokens', { aiTokensPerMonth: 700 }],
  ])('of %s of the whole system counts what other tenants used', async (_, quotas) => {
    await sample.store.close()
    sample = await SampleStore.open({}, { ...noSystemQuotas, ...quotas })
    const other = 'ten_00000000000000000000000002'
    await sample.addTenant(other)
    const planner = costly()
    await sample.run(await added({}, other), answered(500))
    await looked([planner])
    const endpoint = await added(byInterval(minute))
    await failTimes(endpoint, 1)
    const { metrics } = await looked([free, planner])
    expect(planner.asked.map((input) => input.endpoint.tenantId)).toEqual([other])
    expect(metrics).toContain('kron_planner_sessions_total{planner="model",result="passed"} 1')
    expect((await sessionsOf(endpoint)).map((session) => session.planner)).toEqual(['rules'])
    expect(await usage()).toMatchObject({ aiCalls: 0, aiTokens: 0 })
  })
})
