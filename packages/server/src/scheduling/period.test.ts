import { latestInstant } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow as now, samplePlan } from '../../testing/sample-endpoint.js'
import { newestPeriod, occasion, plannedPeriod, scheduledPeriod, verdictOn } from './periods.js'

const minute = 60_000
const hour = 60 * minute
const noon = now - 30_000
const jobOf = (cron: string) => samplePlan(byCron(cron)).compiled.job!

describe('a period of the schedule', () => {
  it('has its chosen time, the id of its nominal one, and ends with the next window', () => {
    const job = jobOf('0 * * * * @win(after,30m)')
    const decision = job.decide(noon)
    expect(scheduledPeriod(job, noon)).toEqual({
      at: decision.chosenTime,
      periodId: '2026-03-01T12:00:00Z',
      decision,
      ofSchedule: true,
      supersededAt: noon + hour,
    })
  })

  it('is none when it can not be scheduled', () => {
    const job = jobOf('0 * * * * @only(hours=3-5)')
    expect(scheduledPeriod(job, noon)).toBeNull()
  })

  it('is as another version planned it, where that chose another second', () => {
    const job = jobOf('0 * * * * @win(after,30m)')
    const { chosenTime } = job.decide(noon)
    expect(plannedPeriod(job, chosenTime!, '2026-03-01T12:00:00Z')).toEqual(
      scheduledPeriod(job, noon),
    )
    const at = chosenTime! + 1000
    const own = { nominalTime: noon, windowStart: at, chosenTime: at }
    for (const periodId of ['2026-03-01T12:00:00Z', 'of another time']) {
      expect(plannedPeriod(job, at, periodId)).toEqual({
        at,
        periodId,
        decision: own,
        ofSchedule: true,
        supersededAt: noon + hour,
      })
    }
    const id = new Date(at).toISOString().replace('.000', '')
    expect(plannedPeriod(job, at, null)).toMatchObject({ periodId: id, decision: own })
  })

  it('that is the newest had its time, with a window as without one', () => {
    expect(newestPeriod(jobOf('0 * * * *'), noon)).toBe(noon)
    expect(newestPeriod(jobOf('0 * * * *'), noon - 1)).toBe(noon - hour)
    const job = jobOf('0 * * * * @win(after,30m)')
    const at = job.decide(noon).chosenTime!
    expect(newestPeriod(job, at)).toBe(noon)
    expect(newestPeriod(job, at - 1)).toBe(noon - hour)
    for (const cron of ['5 0 * * *', '5 0 * * * @win(after,30m)']) {
      expect(newestPeriod(jobOf(cron), -latestInstant)).toBeNull()
    }
    const constrained = jobOf('0 * * * * @win(after,30m) @only(hours=3-5)')
    expect(newestPeriod(constrained, noon)).toBe(noon)
  })
})

describe('an occasion', () => {
  it('is a period of its own second', () => {
    const second = { nominalTime: now, windowStart: now, chosenTime: now }
    expect(occasion(now + 999)).toEqual({
      at: now + 999,
      periodId: '2026-03-01T12:00:30.999Z',
      decision: second,
      ofSchedule: false,
      supersededAt: null,
    })
  })

  it('is judged without what the schedule has handled or answers for', () => {
    const planned = { handledThrough: now + hour }
    const { plan, compiled } = samplePlan({ ...byInterval(5), deadlineMs: 1000 }, planned)
    const verdict = (late: number) => verdictOn(occasion(now), compiled, plan, now + late, false)
    expect(verdict(-5).kind).toBe('execute')
    expect(verdict(1000).kind).toBe('execute')
    expect(verdict(2000).kind).toBe('missed')
  })
})

describe('the verdict on a period of the schedule', () => {
  const cron = '0 * * * *'
  const verdict = (handledThrough: number | null, since: number, timing?: string) => {
    const { plan, compiled } = samplePlan(byCron(cron))
    const responsibility = { timing: timing ?? compiled.timing!, since }
    const known = { ...plan, handledThrough, responsibility }
    return verdictOn(scheduledPeriod(compiled.job!, noon)!, compiled, known, now, false).kind
  }

  it.each([
    ['is new', null, noon - 1, 'execute'],
    ['was handled', noon, noon - 1, 'handled'],
    ['comes after what was handled', noon - 1, noon - 1, 'execute'],
    ['had to start before the schedule counted', null, noon + 1, 'notResponsible'],
  ] as const)('that %s', (_name, handledThrough, since, kind) => {
    expect(verdict(handledThrough, since)).toBe(kind)
  })

  it('does not look at what another timing answered for', () => {
    expect(verdict(null, noon + 1, 'another timing')).toBe('execute')
  })
})
