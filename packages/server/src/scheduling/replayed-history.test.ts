import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { byCron, byInterval } from '../../testing/sample-endpoint.js'
import { answered, SampleStore } from '../../testing/sample-store.js'
import type { Endpoint, EndpointDefinition, Plan, Run } from '../domain/index.js'
import { type Memory, storedMemory } from '../learner/index.js'
import { compileEndpoint } from './compiled-endpoint.js'
import { learnOutcome } from './learning.js'
import type { Outcome } from './planning.js'

let sample: SampleStore
beforeEach(async () => {
  sample = await SampleStore.open()
})
afterEach(() => sample.store.close())

const hintsOf = ({ intervalHint, oneShotHint }: Plan) => ({ intervalHint, oneShotHint })

/** A target that changes, fails and limits as the numbers say. */
function answer(number: number): Partial<Outcome> {
  if (number < 5) return answered(500)
  if (number < 8) return answered(429, { 'retry-after': String(number * 60) })
  return answered(200, number % 7 === 0 ? { etag: `"${number}"` } : {}, String(number >> 3))
}

async function historyOf({ id, tenantId }: Endpoint) {
  return sample.store.tenant(tenantId, async (rows) => {
    const { items } = await rows.runs.list({ endpointId: id, limit: 1000, after: null })
    const runs = items.toReversed()
    const bodies = []
    for (const run of runs) bodies.push(await rows.runs.body(run))
    return { runs, bodies, memory: await rows.memories.read(id) }
  })
}

function outcomeOf(run: Run, body: Uint8Array | null): Outcome {
  const { response } = run
  return {
    ...run,
    overlapping: false,
    status: run.status as Outcome['status'],
    startedAt: run.startedAt!,
    endedAt: run.endedAt!,
    response: response && { ...response, body: body ?? new Uint8Array(0) },
  }
}

it.each([
  ['an interval', byInterval(300_000)],
  ['a cron', byCron('*/10 * * * *')],
  ['half of the calls', { ...byCron('*/10 * * * *'), adaptive: adaptive({ budget: 0.5 }) }],
  [
    'times outside of its cron',
    { ...byCron('0 * * * *'), adaptive: adaptive({ outsideCron: true }) },
  ],
] as const)('a stored history gives the stored plans again: %s', async (_, definition) => {
  const numbers = fc.sample(fc.nat(100), { numRuns: 150, seed: 7 })
  const endpoint = await sample.addEndpoint({ ...definition, planner: 'on' })
  const stored: ReturnType<typeof hintsOf>[] = []
  for (const number of numbers) {
    await sample.run(endpoint, answer(number))
    stored.push(hintsOf(await sample.planOf(endpoint)))
  }
  const { runs, bodies, memory } = await historyOf(endpoint)
  const plan = await sample.planOf(endpoint)
  const compiled = compileEndpoint(endpoint)
  let remembered: Memory | null = null
  // A first run has nothing to be compared with.
  const again = runs.slice(1).map((run, index) => {
    const outcome = outcomeOf(run, bodies[index + 1]!)
    const asked = Number(outcome.response?.headers['retry-after'] ?? Number.NaN)
    const retryAfterMs = run.status === 'failure' && asked > 0 ? asked * 1000 : null
    const bare = { ...plan, intervalHint: null, oneShotHint: null }
    const learned = learnOutcome(
      bare,
      outcome,
      compiled,
      remembered,
      outcome.endedAt,
      retryAfterMs,
    )!
    remembered = learned.memory
    return hintsOf(learned.plan)
  })
  expect(again).toEqual(stored.slice(1))
  expect(storedMemory(remembered!).numbers).toEqual(storedMemory(memory!).numbers)
})

function adaptive(change: Partial<EndpointDefinition['adaptive']>): EndpointDefinition['adaptive'] {
  return { outsideCron: false, budget: 1, changeOf: [], ...change }
}
