import { formatInstant } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { byCron, sampleId, samplePlan } from '../../testing/sample-endpoint.js'
import type { Plan } from '../domain/index.js'
import { judgePeriods, plannedPeriod } from './periods.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** What is written down when the period of `first` comes, and is looked at by `until`. */
function judged(cron: string, first: number, planned: Partial<Plan>, until = first) {
  const { plan, compiled } = samplePlan(byCron(cron), planned)
  const period = plannedPeriod(compiled.job!, first, formatInstant(first))
  const judging = { source: 'baseline-cron', now: until, active: false } as const
  return judgePeriods(plan, compiled, period, judging)
}

const timing = (cron: string) => samplePlan(byCron(cron)).compiled.timing!

describe('periods that can not be scheduled', () => {
  const nine = Date.UTC(2026, 2, 2, 9)
  const cron = '* * * * * @only(hours=9-17)'
  const last = Date.UTC(2026, 2, 1, 17, 59)

  it('are one row together, when the next one comes that can', () => {
    const { ended, start } = judged(cron, nine, { handledThrough: last })
    expect(start).toMatchObject({ at: nine })
    expect(ended).toEqual([
      {
        endpointId: sampleId,
        scheduledFor: last + minute,
        periodId: '2026-03-01T18:00:00Z',
        source: 'baseline-cron',
        status: 'unschedulable',
        reason: 'no candidate accepted within MaxAttempts',
        error: null,
        wasRunning: false,
        stretch: { first: '2026-03-01T18:00:00Z', last: '2026-03-02T08:59:00Z', count: 900 },
      },
    ])
  })

  it('are told of only once', () => {
    const answer = judged(cron, nine + minute, { handledThrough: nine })
    expect(answer.ended).toEqual([])
  })

  it('are counted to an end', () => {
    const june = Date.UTC(2026, 5, 1)
    const { ended } = judged('* * * * * * @only(months=6)', june, { handledThrough: last })
    expect(ended).toMatchObject([{ stretch: { count: 10_000, more: true } }])
    expect(ended[0]!.stretch!.last).toBe('2026-05-31T23:59:59Z')
  })

  it('are nobody’s business where a pause or a hint decided in between', () => {
    const paused = { handledThrough: last, pausedUntil: nine - 10 * minute }
    expect(judged(cron, nine, paused).ended).toMatchObject([{ stretch: { count: 9 } }])
    const hinted = { handledThrough: last - hour }
    expect(judged(cron, nine, hinted).ended).toEqual([])
    const longHinted = { handledThrough: last + hour }
    expect(judged(cron, nine + day, longHinted).ended).toEqual([])
  })

  it.each([
    ['only', '0 * * * * @only(hours=9-17)', 15],
    ['avoid', '0 * * * * @avoid(hours=0-8)', 9],
    ['both', '0 * * * * @only(hours=9-17) @avoid(hours=12)', 15],
  ])('are recorded whatever forbids them: %s', (_, cron, count) => {
    const handled = { handledThrough: nine - (count + 1) * hour }
    expect(judged(cron, nine, handled).ended).toMatchObject([{ stretch: { count } }])
  })

  it.each([
    ['since the schedule counts', { since: last + 10 * minute }, null, 890],
    ['since the last one was handled', null, last, 900],
    ['since the later of both', { since: last - day }, last, 900],
  ])('count %s', (_, known, handledThrough, count) => {
    const responsibility = known && { ...known, timing: timing(cron) }
    const { ended } = judged(cron, nine, { responsibility, handledThrough })
    expect(ended).toMatchObject([{ stretch: { count } }])
  })

  it('are nobody’s business where nothing is known of the time before', () => {
    const once = '0 9 * * * @only(date=2026-03-02)'
    expect(judged(once, nine, { responsibility: null }).ended).toEqual([])
  })

  it('are a row between each two that can, when several of these have come', () => {
    const cron = '0 * * * * @only(hours=9-10)'
    const known = { handledThrough: nine - 23 * hour }
    const { ended, start } = judged(cron, nine, known, nine + day)
    const rows = ended.map(({ periodId, stretch }) => [periodId, stretch?.count])
    expect(rows).toEqual([
      ['2026-03-01T11:00:00Z', 22],
      ['2026-03-02T09:00:00Z', undefined],
      ['2026-03-02T10:00:00Z', undefined],
      ['2026-03-02T11:00:00Z', 22],
    ])
    expect(start).toMatchObject({ at: nine + day })
  })

  it('count since the schedule does, also after a period that came before', () => {
    const responsibility = { timing: timing(cron), since: last + 2 * hour }
    const { ended, notResponsible } = judged(cron, last, { responsibility }, nine)
    expect(notResponsible).toEqual(['2026-03-01T17:59:00Z'])
    const first = '2026-03-01T20:00:00Z'
    expect(ended).toMatchObject([{ stretch: { first, last: '2026-03-02T08:59:00Z', count: 780 } }])
  })
})
