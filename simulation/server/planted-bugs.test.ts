import { expect, it } from 'vitest'
import type { Planning } from '../../packages/server/src/scheduling/index.js'
import type { ClaimedRun, Store } from '../../packages/server/src/store/index.js'
import { violationsOf } from './invariants.js'
import { type Scenario, scenario } from './scenario.js'
import { observe, type Sabotage } from './server-world.js'

const maxWorlds = 15

/** A world whose targets are slow, so that periods come while a run is under way. */
function slowWorld(seed: number): Scenario {
  const drawn = scenario(seed)
  const trouble = { ...drawn.trouble, callsPerMinute: 0 }
  return { ...drawn, minutes: 3, trouble, weather: { slowestMs: 12_000, failing: 0 } }
}

/** The store with other rules for its planning. */
function withPlanning(store: Store, change: (planning: Planning) => Partial<Planning>): Store {
  const changed = (planning: Planning): Planning => ({
    knows: (id, version) => planning.knows(id, version),
    learn: (endpoint) => planning.learn(endpoint),
    learnsFrom: (id) => planning.learnsFrom(id),
    takeMemory: (id, fence) => planning.takeMemory(id, fence),
    keepMemories: (kept) => planning.keepMemories(kept),
    decideClaim: (due, now) => planning.decideClaim(due, now),
    decideOutcome: (...asked) => planning.decideOutcome(...asked),
    ...change(planning),
  })
  return withCalls(store, {
    claim: (request, planning) => store.claim(request, changed(planning)),
    record: (outcomes, planning) => store.record(outcomes, changed(planning)),
  })
}

function withCalls(store: Store, calls: Partial<Store>): Store {
  return {
    name: store.name,
    signals: store.signals,
    migrate: () => store.migrate(),
    time: () => store.time(),
    claim: (request, planning) => store.claim(request, planning),
    settleClaim: (claimId, planning) => store.settleClaim(claimId, planning),
    record: (outcomes, planning) => store.record(outcomes, planning),
    tenant: (tenantId, work) => store.tenant(tenantId, work),
    read: (tenantId, work) => store.read(tenantId, work),
    system: (work) => store.system(work),
    close: () => store.close(),
    ...calls,
  }
}

/** Hands the last claim to the next worker as well. */
const claimedTwice: Sabotage = (store) => {
  let last: readonly ClaimedRun[] = []
  return withCalls(store, {
    claim: async (request, planning) => {
      const claim = await store.claim(request, planning)
      const both = [
        ...claim.claimed,
        ...last.filter(({ endpointId }) => planning.knows(endpointId, 1)),
      ]
      last = claim.claimed
      return { ...claim, claimed: both }
    },
  })
}

const clockAhead: Sabotage = (store) =>
  withCalls(store, {
    time: async () => (await store.time()) + 400,
    claim: async (request, planning) => {
      const claim = await store.claim(request, planning)
      return { ...claim, now: claim.now + 400 }
    },
    record: async (outcomes, planning) => {
      const answer = await store.record(outcomes, planning)
      return { ...answer, now: answer.now + 400 }
    },
  })

const lostRunsStay: Sabotage = (store) =>
  withPlanning(store, (planning) => ({
    decideClaim: (due, now) => {
      const { plan } = due
      if (plan.held === null) return planning.decideClaim(due, now)
      const held = { ...plan.held, leaseUntil: now + 3_600_000 }
      return { plan: { ...plan, held }, start: null, ended: [], replaceOthers: false }
    },
  }))

const skippedPeriodsForgotten: Sabotage = (store) =>
  withPlanning(store, (planning) => ({
    decideOutcome: (...asked) => ({ ...planning.decideOutcome(...asked), ended: [] }),
  }))

const stretchesForgotten: Sabotage = (store) =>
  withPlanning(store, (planning) => ({
    decideClaim: (due, now) => {
      const decision = planning.decideClaim(due, now)
      if (decision === null) return null
      const ended = decision.ended.filter(({ status }) => status !== 'unschedulable')
      return { ...decision, ended }
    },
  }))

/** Judges what has come as of when it was due. */
const lateIsOnTime: Sabotage = (store) =>
  withPlanning(store, (planning) => ({
    decideClaim: (due, now) => {
      const { nextRunAt, held, source, requested } = due.plan
      const isRun = held === null && requested === null && source !== 'paused'
      return planning.decideClaim(due, isRun ? Math.min(now, nextRunAt ?? now) : now)
    },
  }))

const overlapping: Sabotage = (store) =>
  withPlanning(store, (planning) => ({
    decideClaim: (due, now) => {
      const decision = planning.decideClaim(due, now)
      if (decision?.start == null || decision.plan.held === null) return decision
      const nextRunAt = decision.start.scheduledFor + 250
      const plan = { ...decision.plan, held: null, nextRunAt }
      return { ...decision, plan, start: { ...decision.start, overlapping: true } }
    },
  }))

/** The learner takes every endpoint for one that it may act on. */
const plannersEverywhere: Sabotage = (store) =>
  withPlanning(store, (planning) => ({
    learn: (endpoint) =>
      planning.learn({
        ...endpoint,
        definition: { ...endpoint.definition, planner: 'on' },
      }),
  }))

/** Hints of people look like those of the learner. */
const hintsOfPeopleIgnored: Sabotage = (store) =>
  withPlanning(store, (planning) => ({
    decideOutcome: (plan, ...asked) => {
      const { intervalHint } = plan
      const taken = intervalHint && { ...intervalHint, by: 'planner:rules' }
      return planning.decideOutcome({ ...plan, intervalHint: taken }, ...asked)
    },
  }))

it.each([
  ['a claim that two workers get', claimedTwice, /twice|times/],
  ['a clock that is ahead of the database', clockAhead, /was sent early/],
  ['runs of lost workers that nobody ends', lostRunsStay, /never ended/],
  ['periods that pass during a run and leave no trace', skippedPeriodsForgotten, /has no row/],
  ['runs that overlap although they must not', overlapping, /was under way/],
  ['periods that can not be scheduled and leave no trace', stretchesForgotten, /not one stretch/],
  ['a deadline that nobody asks about', lateIsOnTime, /after its deadline/],
  ['a planner that acts everywhere', plannersEverywhere, /moved by a planner|is learned from/],
])('%s is noticed', async (_, sabotage, message) => {
  expect(await foundBy(slowWorld, sabotage, message)).not.toEqual([])
})

it('a hint of a person that a planner takes the place of is noticed', async () => {
  const meddled = (seed: number): Scenario => {
    const drawn = scenario(seed)
    return { ...drawn, trouble: { ...drawn.trouble, callsPerMinute: 30 } }
  }
  const message = /lost the hint of a person/
  expect(await foundBy(meddled, hintsOfPeopleIgnored, message)).not.toEqual([])
})

async function foundBy(
  worldOf: (seed: number) => Scenario,
  sabotage: Sabotage,
  message: RegExp,
): Promise<string[]> {
  const found: string[] = []
  for (let seed = 1; seed <= maxWorlds && !found.some((text) => message.test(text)); seed++) {
    found.push(...violationsOf(await observe(worldOf(seed), sabotage)))
  }
  return found.filter((text) => message.test(text))
}
