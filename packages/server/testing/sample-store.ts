import { parseSteering } from '../src/dispatch/index.js'
import {
  defaultRetention,
  type Endpoint,
  type EndpointDefinition,
  noSystemQuotas,
  type Quotas,
  type Retention,
  unlimited,
} from '../src/domain/index.js'
import {
  compileEndpoint,
  EndpointPlanning,
  newPlan,
  type Outcome,
} from '../src/scheduling/index.js'
import type { ClaimedRun, Store } from '../src/store/index.js'
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.js'
import { sampleEndpoint, sampleNow } from './sample-endpoint.js'
import { sampleOutcome } from './sample-outcome.js'

const tenantId = 'ten_00000000000000000000000001'

type Owned = Pick<Endpoint, 'id' | 'tenantId'>

/** A store in memory with one tenant and one job, and a clock that stands until it is set. */
export class SampleStore {
  readonly store: Store
  readonly tenantId = tenantId
  now = sampleNow
  readonly #planning = new EndpointPlanning({
    maxDefinitions: 1000,
    readSteering: parseSteering,
    onBroken: (_plan, error) => {
      throw error
    },
  })
  #claims = 0
  #endpoints = 0

  constructor(systemQuotas = noSystemQuotas) {
    this.store = openSqliteStore({ path: ':memory:', now: () => this.now, systemQuotas })
  }

  static async open(
    tenant: { readonly quotas?: Partial<Quotas>; readonly retention?: Partial<Retention> } = {},
    systemQuotas = noSystemQuotas,
  ): Promise<SampleStore> {
    const sample = new SampleStore(systemQuotas)
    await sample.store.migrate()
    await sample.addTenant(tenantId, tenant)
    return sample
  }

  async addTenant(
    id: string,
    tenant: { readonly quotas?: Partial<Quotas>; readonly retention?: Partial<Retention> } = {},
  ): Promise<void> {
    await this.store.system((rows) =>
      rows.insertTenant({
        id,
        name: id,
        createdAt: this.now,
        quotas: { ...unlimited, ...tenant.quotas },
        retention: { ...defaultRetention, ...tenant.retention },
      }),
    )
    await this.store.tenant(id, (rows) =>
      rows.jobs.insert({
        id: `job_${id.slice(4)}`,
        tenantId: id,
        name: 'nightly',
        description: null,
        status: 'active',
        version: 1,
        createdAt: this.now,
        updatedAt: this.now,
      }),
    )
  }

  async addEndpoint(
    change: Partial<EndpointDefinition> = {},
    ofTenant: string = tenantId,
  ): Promise<Endpoint> {
    this.#endpoints += 1
    const number = String(this.#endpoints).padStart(26, '0')
    const endpoint = sampleEndpoint(
      { name: `endpoint-${this.#endpoints}`, ...change },
      {
        id: `ep_${number}`,
        tenantId: ofTenant,
        jobId: `job_${ofTenant.slice(4)}`,
        createdAt: this.now,
        updatedAt: this.now,
      },
    )
    await this.store.tenant(ofTenant, (rows) =>
      rows.endpoints.insert(endpoint, newPlan(endpoint, compileEndpoint(endpoint), rows.now)),
    )
    return endpoint
  }

  /** Lets the next run of an endpoint come and end; the clock stands at its end then. */
  async run(endpoint: Owned, outcome: Partial<Outcome> = {}): Promise<ClaimedRun> {
    const { requested, nextRunAt } = await this.planOf(endpoint)
    this.now = Math.max(this.now, requested?.at ?? nextRunAt!)
    this.#claims += 1
    const claim = await this.store.claim(
      { claimId: `claim-${this.#claims}`, owner: 'worker', limit: 1000, withinMs: 0, crowd: 1000 },
      this.#planning,
    )
    const run = claim.claimed.find(({ endpointId }) => endpointId === endpoint.id)!
    const startedAt = this.now
    this.now += 100
    const ended = sampleOutcome(run, this.now, { startedAt, ...outcome })
    await this.store.record([ended], this.#planning)
    return run
  }

  async planOf(endpoint: Owned) {
    const found = await this.store.tenant(endpoint.tenantId, (rows) =>
      rows.endpoints.get(endpoint.id),
    )
    return found!.plan
  }
}

export const answered = (
  httpStatus: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Partial<Outcome> => ({
  status: httpStatus < 300 ? 'success' : 'failure',
  response: { httpStatus, headers, truncated: false, body: new TextEncoder().encode(body) },
})
