import { nextChosenPeriod } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleId, sampleNow } from '../../../testing/sample-endpoint.js'
import {
  changeSteps,
  Life,
  type Step,
  setBack,
  workSteps,
} from '../../../testing/store/sql/life-conformance.js'
import type { EndpointDefinition } from '../../domain/index.js'

const concurrency = fc.constantFrom('forbid' as const, 'allow' as const, 'replace' as const)
const onWorkerLoss = fc.constantFrom('cancel' as const, 'redeliver' as const)
const deadlineMs = fc.constantFrom(null, 0, 30_000)
const baselines = fc.constantFrom(
  byCron('* * * * *'),
  byCron('*/3 * * * *'),
  byCron('*/5 * * * * @win(after,2m)'),
  byCron('*/5 * * * * @win(around,4m)'),
  byInterval(2000),
  byInterval(45_000),
  byInterval(60_000, 20_000),
)

const definitions: fc.Arbitrary<Partial<EndpointDefinition>> = fc
  .record({
    baseline: baselines,
    concurrency,
    onWorkerLoss,
    deadlineMs,
    limits: fc.constantFrom([null, null], [20_000, null], [null, 100_000], [30_000, 30_000]),
  })
  .map(({ baseline, limits, ...rest }) => ({
    ...baseline,
    ...rest,
    minIntervalMs: limits[0]!,
    maxIntervalMs: limits[1]!,
  }))

const history = (...steps: fc.WeightedArbitrary<Step>[]) =>
  fc.array(fc.oneof(...steps), { minLength: 1, maxLength: 60 })

describe('through any history an endpoint', () => {
  it('starts each instant once, in order, by growing fences, and always wakes again', async () => {
    const steps = history(...workSteps, ...changeSteps, setBack)
    const check = fc.asyncProperty(definitions, steps, async (definition, taken) => {
      const life = new Life(definition)
      for (const step of taken) {
        await life.take(step)
        life.check()
      }
    })
    await fc.assert(check, { numRuns: 1000, seed: 11 })
  })
})

describe('as long as nobody changes it, a schedule', () => {
  const crons = fc.constantFrom(
    '* * * * *',
    '*/3 * * * *',
    '*/5 * * * * @win(after,2m)',
    '*/5 * * * * @win(around,4m)',
  )

  it.each([
    ['', [...workSteps]],
    [' though clocks are set back', [...workSteps, setBack]],
  ])('gets a row for each of its periods, and not two%s', async (_, kinds) => {
    const definition = fc.record({ cron: crons, concurrency, onWorkerLoss, deadlineMs })
    const check = fc.asyncProperty(definition, history(...kinds), async (made, taken) => {
      const { cron, ...rest } = made
      const life = new Life({ ...byCron(cron), ...rest })
      for (const step of taken) {
        await life.take(step)
        life.check()
      }
      const { memory, compiled, plan } = life
      const rowAt = (scheduledFor: number) => memory.run({ endpointId: sampleId, scheduledFor })
      let at = sampleNow
      const handled = plan.handledThrough ?? at
      for (;;) {
        const next = nextChosenPeriod(compiled.job!, at)!
        at = next.chosenTime
        if (at > handled) break
        expect(rowAt(at), `a row for ${new Date(at).toISOString()}`).toBeDefined()
      }
      expect(memory.conflicts).toEqual([])
      // A clock that was set back before the beginning may bring up earlier periods.
      const isFree = plan.held === null && plan.source === 'baseline-cron'
      if (isFree && plan.handledThrough !== null && plan.handledThrough >= sampleNow) {
        expect(plan.nextRunAt, 'the next period').toBe(at)
      }
    })
    await fc.assert(check, { numRuns: 1000, seed: 12 })
  })
})
