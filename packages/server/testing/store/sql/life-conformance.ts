import fc from 'fast-check'
import { expect } from 'vitest'
import type { EndpointDefinition, Plan } from '../../../src/domain/index.js'
import {
  type CompiledEndpoint,
  compileEndpoint,
  newPlan,
  type Outcome,
  replan,
  wakeOf,
} from '../../../src/scheduling/index.js'
import type { ClaimedRun } from '../../../src/store/claim.js'
import { claimDue } from '../../../src/store/sql/claim-transaction.js'
import { recordOutcomes } from '../../../src/store/sql/record-transaction.js'
import { sampleEndpoint, sampleNow } from '../../sample-endpoint.js'
import { Memory } from './memory-conformance.js'
import { strictRules } from './rules-conformance.js'

export type Step =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'setBack'; readonly ms: number }
  | { readonly kind: 'claim'; readonly withinMs: number }
  | { readonly kind: 'end'; readonly status: Outcome['status']; readonly which: number }
  | { readonly kind: 'lose'; readonly which: number }
  | { readonly kind: 'request' }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'resume' }
  | { readonly kind: 'oneShot'; readonly ms: number }
  | { readonly kind: 'interval'; readonly ms: number }
  | { readonly kind: 'clearHints' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'activate' }
  | { readonly kind: 'quota'; readonly left: number | null }

const within = (max: number) => fc.integer({ min: 0, max })
const of = <Kind extends Step['kind']>(kind: Kind) => fc.constant({ kind })
const statuses = ['success', 'failure', 'timeout', 'cancelled', 'released'] as const

/** Steps as workers and time make them. */
export const workSteps: readonly fc.WeightedArbitrary<Step>[] = [
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: within(150_000) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      withinMs: fc.constantFrom(0, 5000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      status: fc.constantFrom(...statuses),
      which: within(5),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), which: within(5) }) },
  { weight: 1, arbitrary: of('request') },
]

/** Steps as people, planners and clocks make them. */
export const changeSteps: readonly fc.WeightedArbitrary<Step>[] = [
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), ms: within(400_000) }) },
  { weight: 1, arbitrary: of('resume') },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('oneShot' as const),
      ms: fc.integer({ min: -60_000, max: 200_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('interval' as const),
      ms: fc.integer({ min: 2000, max: 200_000 }),
    }),
  },
  { weight: 1, arbitrary: of('clearHints') },
  { weight: 1, arbitrary: of('suspend') },
  { weight: 2, arbitrary: of('activate') },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('quota' as const),
      left: fc.constantFrom(null, null, 0, 1),
    }),
  },
]

export const setBack: fc.WeightedArbitrary<Step> = {
  weight: 1,
  arbitrary: fc.record({ kind: fc.constant('setBack' as const), ms: within(400_000) }),
}

/** One endpoint through a history, with the rules and transactions that workers use. */
export class Life {
  readonly memory = new Memory()
  readonly compiled: CompiledEndpoint
  readonly #planning = strictRules()
  readonly #open: ClaimedRun[] = []
  now = sampleNow

  constructor(change: Partial<EndpointDefinition>) {
    const endpoint = sampleEndpoint({ maxExecutionTimeMs: 90_000, ...change })
    this.compiled = compileEndpoint(endpoint)
    this.memory.endpoints.set(endpoint.id, endpoint)
    this.memory.plans.set(endpoint.id, newPlan(endpoint, this.compiled, this.now))
  }

  get plan(): Plan {
    return this.memory.plans.get(this.compiled.endpoint.id)!
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'pass') this.now += step.ms
    else if (step.kind === 'setBack') this.now -= step.ms
    else if (step.kind === 'claim') await this.claimAll(step.withinMs)
    else if (step.kind === 'end') await this.#end(step.which, step.status)
    else if (step.kind === 'lose') this.#open.splice(step.which % (this.#open.length + 1), 1)
    else if (step.kind === 'request') this.#request()
    else this.#change(step)
  }

  /** As a worker does: again as long as there is something to take. That must come to an end. */
  async claimAll(withinMs: number): Promise<void> {
    for (let claims = 0; ; claims++) {
      expect(claims, 'claims at one instant').toBeLessThan(10)
      const before = this.plan
      const request = { claimId: 'c', owner: 'w', limit: 10, withinMs, crowd: 10 }
      const claim = await claimDue(this.memory.at(this.now), request, this.#planning)
      this.#open.push(...claim.claimed)
      if (this.plan === before) return
    }
  }

  async #end(which: number, status: Outcome['status']): Promise<void> {
    const [run] = this.#open.splice(which % (this.#open.length + 1), 1)
    if (run === undefined) return
    const startedAt = Math.max(this.now, run.scheduledFor)
    const rest = { reason: null, startedAt, endedAt: startedAt, attempts: 1, error: null }
    const outcome: Outcome = { ...run, ...rest, status, response: null }
    await recordOutcomes(this.memory.at(this.now), [outcome], this.#planning, () => null)
  }

  #request(): void {
    const { plan } = this
    if (plan.requested !== null) return
    const key = { endpointId: plan.endpointId, scheduledFor: this.now }
    key.scheduledFor = Math.max(this.now, (plan.handledThrough ?? 0) + 1)
    while (this.memory.run(key) !== undefined) key.scheduledFor++
    const none = { reason: null, fence: 0, attempts: 0, overlapLease: null, periodId: 'asked for' }
    this.memory.put(key, { ...none, source: 'manual', status: 'pending' })
    this.#put({ ...plan, requested: { at: key.scheduledFor, source: 'manual' } })
  }

  #change(step: Step): void {
    const { plan, now } = this
    const hint = { expiresAt: now + 300_000, reason: null, by: 'x' }
    if (step.kind === 'quota') this.memory.runsLeft = step.left
    else if (step.kind === 'pause') this.#replan({ ...plan, pausedUntil: now + step.ms })
    else if (step.kind === 'resume') this.#replan({ ...plan, pausedUntil: null })
    else if (step.kind === 'clearHints') {
      this.#replan({ ...plan, oneShotHint: null, intervalHint: null })
    } else if (step.kind === 'oneShot') {
      this.#replan({ ...plan, oneShotHint: { nextRunAt: now + step.ms, ...hint } })
    } else if (step.kind === 'interval') {
      this.#replan({ ...plan, intervalHint: { intervalMs: step.ms, ...hint } })
    } else if (step.kind === 'suspend') this.#put({ ...plan, suspended: true })
    else if (step.kind === 'activate') this.#replan({ ...plan, suspended: false })
  }

  #replan(plan: Plan): void {
    this.#put(replan(plan, this.compiled, this.now))
  }

  #put(plan: Plan): void {
    this.memory.plans.set(plan.endpointId, plan)
  }

  /** What holds after every step. */
  check(): void {
    const { plan } = this
    if (!plan.suspended || plan.requested !== null || plan.held !== null) {
      expect(wakeOf(plan).at, 'a time to wake').not.toBeNull()
    }
    const requested = [...this.memory.runs].filter(([, { status }]) => status === 'pending')
    expect(requested.length, 'waiting rows').toBe(plan.requested === null ? 0 : 1)
    this.#checkStarts()
  }

  #checkStarts(): void {
    let fence = 0
    for (const start of this.memory.starts) {
      expect(start.fence, 'fences').toBeGreaterThan(fence)
      fence = start.fence
    }
    expect(this.plan.fence).toBeGreaterThanOrEqual(fence)
    // A run that was released may start once more, one that was lost is delivered again.
    const fresh = this.memory.starts.filter(({ replaces }) => replaces === 'nothing')
    const seen = new Map<number, number>()
    for (const { scheduledFor } of fresh) seen.set(scheduledFor, (seen.get(scheduledFor) ?? 0) + 1)
    for (const { scheduledFor } of this.memory.released) {
      seen.set(scheduledFor, seen.get(scheduledFor)! - 1)
    }
    expect(Math.max(0, ...seen.values()), 'starts of one period').toBeLessThanOrEqual(1)
    let latest = Number.NEGATIVE_INFINITY
    for (const { scheduledFor } of fresh) {
      expect(scheduledFor, 'instants of starts').toBeGreaterThanOrEqual(latest)
      latest = scheduledFor
    }
  }
}
