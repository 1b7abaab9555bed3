import { it } from 'vitest'
import { parseSteering } from '../../src/dispatch/index.js'
import {
  defaultRetention,
  type EndpointDefinition,
  type EndpointWithPlan,
  type Job,
  newId,
  type Plan,
  type Run,
  type Tenant,
  unlimited,
} from '../../src/domain/index.js'
import {
  compileEndpoint,
  EndpointPlanning,
  newPlan,
  type Outcome,
} from '../../src/scheduling/index.js'
import type {
  Claim,
  ClaimedRun,
  ClaimRequest,
  RecordAnswer,
  Store,
  TenantTransaction,
} from '../../src/store/index.js'
import { byInterval, sampleEndpoint } from '../sample-endpoint.js'
import { everyPage } from './page-conformance.js'

export const minute = 60_000
export const hour = 3_600_000

/** Where endpoints of a case are made. */
export interface Place {
  readonly tenant: Tenant
  readonly job: Job
}

type Planned = Partial<Plan> | ((now: number) => Partial<Plan>)

/**
 * What one case makes and sees. Claims see endpoints of all tenants, so a case takes away at its end
 * all that could still wake. Instants are counted from the database's own time.
 */
export class World {
  readonly store: Store
  /** Endpoints that could not be planned. */
  readonly broken: string[] = []
  planning: EndpointPlanning
  readonly #tenants: Tenant[] = []
  #names = 0

  constructor(store: Store) {
    this.store = store
    this.planning = this.newPlanning()
  }

  /** The rules of another worker, which has met no endpoint yet. */
  newPlanning(): EndpointPlanning {
    return new EndpointPlanning({
      maxDefinitions: 1000,
      readSteering: parseSteering,
      onBroken: (plan) => this.broken.push(plan.endpointId),
    })
  }

  now(): Promise<number> {
    return this.store.system(async (rows) => rows.now)
  }

  /** Asks the database for its time until it is past this instant, at most milliseconds away. */
  async pass(instant: number): Promise<void> {
    while ((await this.now()) <= instant);
  }

  async tenant(change: Partial<Tenant> = {}): Promise<Tenant> {
    return this.store.system(async (rows) => {
      const tenant: Tenant = {
        id: newId('ten', rows.now),
        name: 'a tenant',
        createdAt: rows.now,
        quotas: unlimited,
        retention: defaultRetention,
        ...change,
      }
      await rows.insertTenant(tenant)
      this.#tenants.push(tenant)
      return tenant
    })
  }

  async job(tenant: Tenant, change: Partial<Job> = {}): Promise<Job> {
    return this.as(tenant, async (rows) => {
      const job = sampleJob(tenant, rows.now, { name: this.#name('job'), ...change })
      await rows.jobs.insert(job)
      return job
    })
  }

  /** A tenant of its own with a job. */
  async place(change: Partial<Tenant> = {}): Promise<Place> {
    const tenant = await this.tenant(change)
    return { tenant, job: await this.job(tenant) }
  }

  /** An endpoint with the plan that is made for it at once, but for what is given. */
  async endpoint(
    { tenant, job }: Place,
    change: Partial<EndpointDefinition> = {},
    planned: Planned = {},
  ): Promise<EndpointWithPlan> {
    return this.as(tenant, async (rows) => {
      const name = this.#name('endpoint')
      const made = sample(tenant, job.id, rows.now, { name, ...change }, planned)
      await rows.endpoints.insert(made.endpoint, made.plan)
      return made
    })
  }

  /** An endpoint that is due since a second. */
  due(
    place: Place,
    change: Partial<EndpointDefinition> = {},
    planned: Planned = {},
  ): Promise<EndpointWithPlan> {
    return this.endpoint(place, { ...byInterval(hour), ...change }, (now) => ({
      nextRunAt: now - 1000,
      lastRunAt: now - 2 * hour,
      ...(typeof planned === 'function' ? planned(now) : planned),
    }))
  }

  as<T>({ id }: { readonly id: string }, work: (rows: TenantTransaction) => Promise<T>) {
    return this.store.tenant(id, work)
  }

  /**
   * Does `work` while another transaction of the tenant has done `hold`. Where transactions only
   * come one after the other, it comes afterwards.
   */
  async during<T>(
    tenant: Tenant,
    hold: (rows: TenantTransaction) => Promise<unknown>,
    work: () => Promise<T>,
  ): Promise<T> {
    if (this.store.name === 'postgres') {
      return this.as(tenant, async (rows) => {
        await hold(rows)
        return work()
      })
    }
    await this.as(tenant, hold)
    return work()
  }

  async plan({ endpoint }: EndpointWithPlan): Promise<Plan> {
    const found = await this.store.tenant(endpoint.tenantId, (rows) =>
      rows.endpoints.get(endpoint.id),
    )
    return found!.plan
  }

  /** The oldest first. */
  async runs({ endpoint }: EndpointWithPlan): Promise<Run[]> {
    const runs = await this.store.tenant(endpoint.tenantId, (rows) =>
      everyPage(100, (page) => rows.runs.list({ ...page, endpointId: endpoint.id })),
    )
    return runs.reverse()
  }

  async claim(request: Partial<ClaimRequest> = {}, planning = this.planning): Promise<Claim> {
    const claimId = newId('req', 0)
    const usual = { claimId, owner: 'wrk_1', limit: 100, withinMs: 5000, crowd: 100 }
    return this.store.claim({ ...usual, ...request }, planning)
  }

  /** The one run that a claim takes. */
  async claimOne(request: Partial<ClaimRequest> = {}): Promise<ClaimedRun> {
    const { claimed } = await this.claim(request)
    if (claimed.length !== 1) throw new Error(`${claimed.length} runs were claimed, not one`)
    return claimed[0]!
  }

  record(...outcomes: readonly Outcome[]): Promise<RecordAnswer> {
    return this.store.record(outcomes, this.planning)
  }

  /** How one outcome was taken. */
  async recordOne(run: ClaimedRun, change: Partial<Outcome> = {}): Promise<string> {
    return (await this.record(outcomeOf(run, change))).answers[0]!
  }

  async leave(): Promise<void> {
    for (const tenant of this.#tenants) {
      await this.as(tenant, async (rows) => {
        const open = await everyPage(100, (page) =>
          rows.runs.list({ ...page, status: ['pending', 'running'] }),
        )
        const end = { status: 'cancelled', reason: 'the case is over', at: rows.now } as const
        for (const run of open) await rows.runs.end(run, end)
        for (const { id } of await everyPage(100, (page) => rows.jobs.list(page))) {
          await rows.jobs.delete(id)
        }
      })
    }
    await this.store.system((rows) => rows.takeAttention(1000))
  }

  #name(what: string): string {
    return `${what} ${++this.#names}`
  }
}

export function sampleJob(tenant: Tenant, now: number, change: Partial<Job> = {}): Job {
  return {
    id: newId('job', now),
    tenantId: tenant.id,
    name: 'a job',
    description: null,
    status: 'active',
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...change,
  }
}

/** An endpoint that was made a day before. */
export function sample(
  tenant: Tenant,
  jobId: string,
  now: number,
  change: Partial<EndpointDefinition> = {},
  planned: Planned = {},
): EndpointWithPlan {
  const createdAt = now - 24 * hour
  const place = { id: newId('ep', now), tenantId: tenant.id, jobId }
  const times = { createdAt, updatedAt: createdAt }
  const endpoint = sampleEndpoint(change, { ...place, ...times })
  const plan = newPlan(endpoint, compileEndpoint(endpoint), now)
  return {
    endpoint,
    plan: { ...plan, ...(typeof planned === 'function' ? planned(now) : planned) },
  }
}

/** A run that succeeded without a response, but for what is given. */
export function outcomeOf(run: ClaimedRun, change: Partial<Outcome> = {}): Outcome {
  const { endpointId, scheduledFor, tenantId, fence, overlapping } = run
  return {
    endpointId,
    scheduledFor,
    tenantId,
    fence,
    overlapping,
    status: 'success',
    reason: null,
    startedAt: scheduledFor + 5,
    endedAt: scheduledFor + 25,
    attempts: run.attempts + 1,
    error: null,
    response: null,
    ...change,
  }
}

/** One case, in a world of its own. */
export type Check = (name: string, work: (world: World) => Promise<void>) => void

export function checksOn(store: () => Store): Check {
  return (name, work) => {
    it(name, async () => {
      const world = new World(store())
      try {
        await work(world)
      } finally {
        await world.leave()
      }
    })
  }
}
