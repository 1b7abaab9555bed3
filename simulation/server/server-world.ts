import { createLog, MetricRegistry } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import {
  defaultRetention,
  type Endpoint,
  newId,
  type Plan,
  type Run,
  unlimited,
} from '../../packages/server/src/domain/index.js'
import { compileEndpoint, newPlan, replan } from '../../packages/server/src/scheduling/index.js'
import type { Store, TenantTransaction } from '../../packages/server/src/store/index.js'
import { openSqliteStore } from '../../packages/server/src/store/sqlite/sqlite-store.js'
import { defaultWorkerLimits, Worker } from '../../packages/server/src/worker/worker.js'
import { Random } from '../random.js'
import type { Scenario } from './scenario.js'
import { troubledStore } from './troubled-store.js'
import { type Arrival, VirtualNetwork } from './virtual-network.js'

export interface Observation {
  readonly scenario: Scenario
  readonly endpoints: readonly Endpoint[]
  readonly plans: readonly Plan[]
  readonly runs: readonly Run[]
  readonly arrivals: readonly Arrival[]
  /** Endpoints whose schedule was changed from outside: what they owe is not known. */
  readonly touched: ReadonlySet<string>
  /** Hints by people that something else took the place of. */
  readonly overwritten: readonly string[]
  /** Endpoints that the learner remembers something of, and those with a session of a planner. */
  readonly remembered: ReadonlySet<string>
  readonly sessions: ReadonlySet<string>
  readonly fenced: number
  readonly kills: number
  readonly startedAt: number
  readonly endedAt: number
}

/** Longer than any lease with its grace, any sleep and any call of the store. */
const settlingMs = 120_000

const vault = {
  keyIds: ['simulated'],
  seal: (text: string) => text,
  open: (text: string) => text,
  fingerprint: (text: string) => text,
  isFingerprint: () => true,
}

/** A store with something wrong, to see that it is noticed. */
export type Sabotage = (store: Store) => Store

/** Lets a whole service live through its scenario, then brings everything to rest. */
export async function observe(
  scenario: Scenario,
  sabotage: Sabotage = (store) => store,
): Promise<Observation> {
  const random = new Random(scenario.seed ^ 0x5eed)
  const startedAt = Date.UTC(2026, 10, 16, 12) + random.between(0, 59_999)
  const clock = new VirtualClock(startedAt, { quietTurns: 1 })
  const now = () => clock.now().getTime()
  const store = openSqliteStore({ path: ':memory:', now })
  await store.migrate()
  const network = new VirtualNetwork(clock, random, scenario.weather)
  const world = await furnish(store, scenario)
  const hosts = new Hosts(sabotage(store), clock, network, random, scenario.trouble)
  for (let n = 0; n < scenario.workers; n++) hosts.start()

  const touched = new Set<string>()
  const hints = new GivenHints()
  const { killsPerMinute, callsPerMinute } = scenario.trouble
  for (let second = 0; second < scenario.minutes * 60; second++) {
    await clock.advanceBy(1_000)
    if (random.chance(killsPerMinute / 60)) hosts.killOne()
    if (random.chance(callsPerMinute / 60)) {
      const endpoint = random.pick(world.endpoints)
      touched.add(endpoint.id)
      await store.tenant(world.tenantId, async (rows) => {
        await meddle(rows, endpoint, random)
        await hints.note(rows, endpoint.id)
      })
    }
    await store.tenant(world.tenantId, (rows) => hints.check(rows))
  }
  hosts.calmDown()
  // Nothing new is due while it comes to rest: what is open then must end by itself.
  await store.tenant(world.tenantId, async (rows) => {
    for (const run of await rows.plans.suspend(world.jobId, 'paused')) rows.abort(run)
  })
  const endedAt = now()
  await clock.advanceBy(settlingMs)
  const observation: Observation = {
    scenario,
    endpoints: world.endpoints,
    ...(await readAll(store, world.tenantId)),
    arrivals: network.arrivals,
    touched,
    overwritten: hints.overwritten,
    fenced: hosts.fenced,
    kills: hosts.kills,
    startedAt,
    endedAt,
  }
  hosts.killAll()
  await store.close()
  return observation
}

interface Furnished {
  readonly tenantId: string
  readonly jobId: string
  readonly endpoints: readonly Endpoint[]
}

async function furnish(store: Store, { endpoints }: Scenario): Promise<Furnished> {
  const now = await store.time()
  const tenantId = newId('ten', now)
  const jobId = newId('job', now)
  await store.system((rows) =>
    rows.insertTenant({
      id: tenantId,
      name: 'world',
      createdAt: now,
      quotas: unlimited,
      retention: defaultRetention,
    }),
  )
  return store.tenant(tenantId, async (rows) => {
    await rows.jobs.insert({
      id: jobId,
      tenantId,
      name: 'world',
      description: null,
      status: 'active',
      version: 1,
      createdAt: now,
      updatedAt: now,
    })
    const made = endpoints.map(
      (definition, n): Endpoint => ({
        // The same in every replay of the world.
        id: `ep_${String(n).padStart(26, '0')}`,
        tenantId,
        jobId,
        identity: `world/${n}`,
        version: 1,
        createdAt: now,
        updatedAt: now,
        archivedAt: null,
        definition,
      }),
    )
    for (const endpoint of made) {
      await rows.endpoints.insert(endpoint, newPlan(endpoint, compileEndpoint(endpoint), rows.now))
    }
    return { tenantId, jobId, endpoints: made }
  })
}

async function readAll(
  store: Store,
  tenantId: string,
): Promise<Pick<Observation, 'runs' | 'plans' | 'remembered' | 'sessions'>> {
  return store.tenant(tenantId, async (rows) => {
    const { items } = await rows.endpoints.list({ limit: 1_000, after: null })
    const runs = await rows.runs.list({ limit: 1_000_000, after: null })
    const sessions = await rows.sessions.list({ limit: 1_000_000, after: null })
    const remembered = new Set<string>()
    for (const { endpoint } of items) {
      if ((await rows.memories.read(endpoint.id)) !== null) remembered.add(endpoint.id)
    }
    return {
      plans: items.map(({ plan }) => plan),
      runs: runs.items,
      remembered,
      sessions: new Set(sessions.items.map(({ endpointId }) => endpointId)),
    }
  })
}

/** Interval hints that people gave: they stand until they expire, or until people change them. */
class GivenHints {
  readonly overwritten: string[] = []
  readonly #given = new Map<string, Plan['intervalHint']>()

  async note(rows: TenantTransaction, id: string): Promise<void> {
    const { plan } = (await rows.endpoints.get(id))!
    const isGiven = plan.intervalHint?.by === 'world'
    if (isGiven) this.#given.set(id, plan.intervalHint)
    else this.#given.delete(id)
  }

  async check(rows: TenantTransaction): Promise<void> {
    for (const [id, hint] of this.#given) {
      if (hint!.expiresAt <= rows.now) this.#given.delete(id)
      else {
        const { plan } = (await rows.endpoints.get(id))!
        const isThere =
          plan.intervalHint?.intervalMs === hint!.intervalMs && plan.intervalHint.by === 'world'
        if (!isThere) this.overwritten.push(`${id.slice(-2)} lost the hint of a person`)
      }
    }
  }
}

/** What the API would do: a pause, a hint, a run that is asked for, or a cancelled one. */
async function meddle(rows: TenantTransaction, { id }: Endpoint, random: Random): Promise<void> {
  const found = await rows.endpoints.get(id)
  if (found === null) return
  const { endpoint, plan } = found
  const compiled = compileEndpoint(endpoint)
  const expiresAt = rows.now + random.between(1, 60_000)
  const hint = { expiresAt, reason: null, by: 'world' }
  const changes: (() => Partial<Plan>)[] = [
    () => ({ pausedUntil: rows.now + random.between(0, 30_000) }),
    () => ({ pausedUntil: null }),
    () => ({ intervalHint: { ...hint, intervalMs: random.between(200, 20_000) } }),
    () => ({ oneShotHint: { ...hint, nextRunAt: rows.now + random.between(-5_000, 20_000) } }),
    () => ({ oneShotHint: null, intervalHint: null }),
  ]
  if (random.chance(0.3) && plan.requested === null) {
    await requestRun(rows, plan)
  } else if (random.chance(0.3) && plan.held !== null) {
    const key = { endpointId: id, scheduledFor: plan.held.scheduledFor }
    await rows.runs.end(key, { status: 'cancelled', reason: 'user', at: rows.now })
    const free: Plan = { ...plan, held: null, fence: plan.fence + 1 }
    await rows.plans.put(replan(free, compiled, rows.now))
    rows.abort(key)
  } else {
    const changed = { ...plan, ...random.pick(changes)() }
    await rows.plans.put(replan(changed, compiled, rows.now))
  }
  rows.wakeAt(rows.now)
}

async function requestRun(rows: TenantTransaction, plan: Plan): Promise<void> {
  const at = Math.max(rows.now, (plan.handledThrough ?? 0) + 1)
  const isNew = await rows.runs.insert({
    endpointId: plan.endpointId,
    scheduledFor: at,
    tenantId: plan.tenantId,
    periodId: new Date(at).toISOString(),
    source: 'manual',
    status: 'pending',
    reason: null,
    fence: 0,
    owner: null,
    claimedAt: null,
    startedAt: null,
    endedAt: null,
    attempts: 0,
    error: null,
    response: null,
    notes: [],
    context: { failureCount: plan.failureCount },
  })
  if (isNew) await rows.plans.put({ ...plan, requested: { at, source: 'manual' } })
}

/** The worker processes of a world: each can die at any moment, and another takes its place. */
class Hosts {
  kills = 0
  readonly #store: Store
  readonly #clock: VirtualClock
  readonly #network: VirtualNetwork
  readonly #random: Random
  #trouble: Scenario['trouble']
  #alive: { isDead: boolean }[] = []
  fenced = 0

  constructor(
    store: Store,
    clock: VirtualClock,
    network: VirtualNetwork,
    random: Random,
    trouble: Scenario['trouble'],
  ) {
    this.#store = store
    this.#clock = clock
    this.#network = network
    this.#random = random
    this.#trouble = trouble
  }

  start(): void {
    const life = { isDead: false }
    this.#alive.push(life)
    const isDead = () => life.isDead
    const clock = this.#clock
    // Each machine counts from another point, and its wall clock is off as well.
    const offset = this.#random.between(-1_000_000, 1_000_000)
    const skewMs = this.#random.between(-2_000, 2_000)
    const worker = new Worker({
      ...defaultWorkerLimits,
      store: troubledStore(this.#store, clock, this.#random, () => this.#trouble, isDead),
      dispatcher: this.#network.dispatcher(isDead),
      vault,
      clock: {
        now: () => new Date(clock.now().getTime() + skewMs),
        sleep: clock.sleep.bind(clock),
      },
      elapsed: () => clock.now().getTime() + offset,
      random: () => this.#random.next(),
      log: createLog({
        clock,
        component: 'world',
        level: 'warn',
        format: 'text',
        write: (line) => {
          if (line.includes('outcome_fenced')) this.fenced++
        },
      }),
      metrics: new MetricRegistry(),
      maxAtOnce: this.#random.pick([1, 3, 1_000]),
    })
    worker.start()
  }

  killOne(): void {
    const index = this.#random.between(0, this.#alive.length - 1)
    this.#alive.splice(index, 1)[0]!.isDead = true
    this.kills++
    this.start()
  }

  /** From now on the store answers at once, and nothing is lost. */
  calmDown(): void {
    this.#trouble = {
      refused: 0,
      lostAnswers: 0,
      slowestCallMs: 0,
      killsPerMinute: 0,
      callsPerMinute: 0,
    }
  }

  killAll(): void {
    for (const life of this.#alive) life.isDead = true
  }
}
