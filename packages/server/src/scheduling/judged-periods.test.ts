import { formatInstant } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow as now, samplePlan } from '../../testing/sample-endpoint.js'
import type { Plan } from '../domain/index.js'
import { judgePeriods, occasion, plannedPeriod } from './periods.js'

const minute = 60_000
const hour = 60 * minute
const noon = now - 30_000

function judged(cron: string, first: number, until: number, planned: Partial<Plan> = {}) {
  const { plan, compiled } = samplePlan(byCron(cron), planned)
  const period = plannedPeriod(compiled.job!, first, formatInstant(first))
  const judging = { source: 'baseline-cron', now: until, active: false } as const
  const answer = judgePeriods(plan, compiled, period, judging)
  return { ...answer, instants: answer.ended.map((row) => row.scheduledFor) }
}

describe('periods that have come', () => {
  it.each([
    ['only one', noon, noon + minute - 1, [], noon],
    ['one more at its very instant', noon, noon + minute, [noon], noon + minute],
    ['several', noon, noon + 150_000, [noon, noon + minute], noon + 2 * minute],
    ['one that is still to come', noon + minute, noon, [], noon + minute],
  ] as const)('start the latest: %s', (_, first, until, instants, latest) => {
    const answer = judged('* * * * *', first, until)
    expect(answer.instants).toEqual(instants)
    expect(answer.start).toMatchObject({ at: latest, periodId: formatInstant(latest) })
  })

  it('are rows with what the core says', () => {
    const { ended, notResponsible } = judged('* * * * *', noon, noon + minute)
    expect(notResponsible).toEqual([])
    expect(ended).toEqual([
      {
        endpointId: 'ep_00000000000000000000000001',
        scheduledFor: noon,
        periodId: formatInstant(noon),
        source: 'baseline-cron',
        status: 'skipped',
        reason: 'superseded',
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
    const answer = judged('* * * * *', noon, noon + count * minute)
    expect(answer.instants).toHaveLength(rows)
    expect(answer.start!.at).toBe(noon + latest * minute)
  })

  it('have the id of their nominal time when a window moves them', () => {
    const cron = '0 * * * * @win(after,30m)'
    const { plan, compiled } = samplePlan(byCron(cron))
    const chosen = (nominal: number) => compiled.job!.decide(nominal).chosenTime!
    const first = plannedPeriod(compiled.job!, chosen(noon), formatInstant(noon))
    const until = (hours: number) => noon + hours * hour + 31 * minute
    const judging = { source: 'baseline-cron', active: false } as const
    const { ended, start } = judgePeriods(plan, compiled, first, { ...judging, now: until(3) })
    expect(ended.map(({ scheduledFor, periodId }) => [scheduledFor, periodId])).toEqual(
      [noon, noon + hour, noon + 2 * hour].map((at) => [chosen(at), formatInstant(at)]),
    )
    expect(start!.periodId).toBe(formatInstant(noon + 3 * hour))
  })

  it('are jumped over to the newest that had its time, when a window moves them', () => {
    const { plan, compiled } = samplePlan(byCron('0 * * * * @win(after,30m)'))
    const nominal = (hours: number) => noon + hours * hour
    const chosen = (hours: number) => compiled.job!.decide(nominal(hours)).chosenTime!
    const first = plannedPeriod(compiled.job!, chosen(0), formatInstant(noon))
    const judgedAt = (now: number) => {
      const judging = { source: 'baseline-cron', active: false, now } as const
      const { ended, start } = judgePeriods(plan, compiled, first, judging)
      return { rows: ended.length, last: ended.at(-1)!.periodId, start: start?.periodId ?? null }
    }
    // The time of a period is not its nominal time here, or nothing below could go wrong.
    expect(chosen(300)).toBeGreaterThan(nominal(300))
    const row = (hours: number) => formatInstant(nominal(hours))
    expect(judgedAt(chosen(300))).toEqual({ rows: 100, last: row(99), start: row(300) })
    // A second earlier the newest is the one before, which the open window has superseded.
    expect(judgedAt(chosen(300) - 1000)).toEqual({ rows: 101, last: row(299), start: null })
  })

  it('give way when the window of the next one opens, though its time is still to come', () => {
    const cron = '0 * * * * @win(after,1h)'
    const { compiled } = samplePlan(byCron(cron))
    const at = compiled.job!.decide(noon).chosenTime!
    const answer = judged(cron, at, noon + hour, { periodId: formatInstant(noon) })
    expect(answer.ended).toMatchObject([{ status: 'skipped', reason: 'superseded' }])
    expect(answer).toMatchObject({ start: null, handledThrough: at })
  })

  it('are missed when they are past their deadline, also when a later one took over', () => {
    const { ended } = judged('* * * * * @policy(deadline=10s)', noon, noon + 2 * minute)
    expect(ended.map(({ status }) => status)).toEqual(['missed', 'missed'])
  })

  it('are nobody’s business before the schedule counted with this timing', () => {
    const { compiled } = samplePlan(byCron('* * * * *'))
    const responsibility = { timing: compiled.timing!, since: noon + 1 }
    const answer = judged('* * * * *', noon, noon + 1000, { responsibility })
    expect(answer).toMatchObject({ ended: [], start: null, handledThrough: null })
  })

  it('are one of an interval', () => {
    const { plan, compiled } = samplePlan(byInterval(minute))
    const judging = { source: 'baseline-interval', now: noon + hour, active: false } as const
    const answer = judgePeriods(plan, compiled, occasion(noon), judging)
    expect(answer).toMatchObject({ ended: [], start: { at: noon } })
  })

  it.each([
    ['an interval', byInterval(minute)],
    ['a schedule', byCron('* * * * *')],
  ])('are one of what was planned otherwise, also when that is missed: %s', (_, by) => {
    const handledThrough = noon + 2 * hour
    const { plan, compiled } = samplePlan({ ...by, deadlineMs: 1000 }, { handledThrough })
    const judging = { source: 'ai-oneshot', now: noon + hour, active: false } as const
    const answer = judgePeriods(plan, compiled, occasion(noon), judging)
    expect(answer.ended).toMatchObject([{ scheduledFor: noon, status: 'missed' }])
    // What was handled after it stays handled.
    expect(answer).toMatchObject({ start: null, handledThrough })
  })

  it('end with the last one of a schedule', () => {
    const cron = '0 11,12 * * * @only(date=2026-03-01) @policy(deadline=10s)'
    const answer = judged(cron, noon - hour, noon + 48 * hour)
    expect(answer.instants).toEqual([noon - hour, noon])
    expect(answer).toMatchObject({ start: null, handledThrough: noon })
  })
})
