import { formatInstant } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow as now, samplePlan } from '../../test/sample-endpoint.js'
import { passedPeriods } from './passed-periods.js'

const minute = 60_000
const noon = now - 30_000

function passed(cron: string, first: number, until: number) {
  const { plan, compiled } = samplePlan(byCron(cron))
  const period = { at: first, periodId: formatInstant(first) }
  const { ended, latest } = passedPeriods(plan, compiled, period, until, 'why')
  return { ended, latest, instants: ended.map(({ scheduledFor }) => scheduledFor) }
}

describe('periods that have passed', () => {
  it.each([
    ['none but the first', noon, noon + minute - 1, [], noon],
    ['one more at its very instant', noon, noon + minute, [noon], noon + minute],
    ['several', noon, noon + 150_000, [noon, noon + minute], noon + 2 * minute],
    ['none when the first is still to come', noon + minute, noon, [], noon + minute],
  ] as const)('are %s', (_, first, until, instants, latest) => {
    const answer = passed('* * * * *', first, until)
    expect(answer.instants).toEqual(instants)
    expect(answer.latest).toEqual({ at: latest, periodId: formatInstant(latest) })
  })

  it('are rows with the reason that is given', () => {
    const { ended } = passed('* * * * *', noon, noon + minute)
    expect(ended).toEqual([
      {
        endpointId: 'ep_00000000000000000000000001',
        scheduledFor: noon,
        periodId: formatInstant(noon),
        source: 'baseline-cron',
        status: 'skipped',
        reason: 'why',
        error: null,
        wasRunning: false,
      },
    ])
  })

  it.each([
    [99, 99, 99],
    [100, 100, 100],
    [101, 100, 101],
    [100_000, 100, 100_000],
  ])('%i of them make %i rows, and the latest is the one that is', (count, rows, latest) => {
    const answer = passed('* * * * *', noon, noon + count * minute)
    expect(answer.instants).toHaveLength(rows)
    expect(answer.latest.at).toBe(noon + latest * minute)
  })

  it('have the id of their nominal time when a window moves them', () => {
    const cron = '0 * * * * @win(after,30m)'
    const { plan, compiled } = samplePlan(byCron(cron))
    const hour = 60 * minute
    const chosen = (nominal: number) => compiled.job!.decide(nominal).chosenTime!
    const first = { at: chosen(noon), periodId: formatInstant(noon) }
    const until = noon + 3 * hour + 31 * minute
    const { ended, latest } = passedPeriods(plan, compiled, first, until, 'why')
    expect(ended.map(({ scheduledFor, periodId }) => [scheduledFor, periodId])).toEqual(
      [noon, noon + hour, noon + 2 * hour].map((at) => [chosen(at), formatInstant(at)]),
    )
    expect(latest.periodId).toBe(formatInstant(noon + 3 * hour))
    const far = passedPeriods(plan, compiled, first, noon + 300 * hour + 31 * minute, 'why')
    const last = noon + 300 * hour
    expect(far.latest).toEqual({ at: chosen(last), periodId: formatInstant(last) })
  })

  it('are none of an interval', () => {
    const { plan, compiled } = samplePlan(byInterval(minute))
    const first = { at: noon, periodId: 'p' }
    const answer = passedPeriods(plan, compiled, first, noon + 10 * minute, 'why')
    expect(answer).toEqual({ ended: [], latest: first })
  })
})
