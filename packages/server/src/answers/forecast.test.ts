import { describe, expect, it } from 'vitest'
import {
  byCron,
  byInterval,
  sampleNow as now,
  type SamplePlan,
  sampleEndpoint,
  samplePlan,
} from '../../testing/sample-endpoint.js'
import { noQuota, previewPlans, RunAllowance } from '../scheduling/index.js'
import { scheduleOnly } from './followed-endpoint.js'
import { forecast, forecastInSteps } from './forecast.js'

const minute = 60_000
const from = Date.UTC(2026, 2, 1, 12, 0)
const span = (minutes: number, start = now) => ({ now, from: start, minutes })

/** Without the parts of `forecast`: every preview of every endpoint, counted second by second. */
function counted(endpoints: readonly SamplePlan[], start: number, minutes: number) {
  const seconds = new Map<number, number>()
  for (const { plan, compiled } of endpoints) {
    for (const { nextRunAt, source } of previewPlans(plan, compiled, start, 2000)) {
      if (source === 'paused') continue
      const second = Math.floor(nextRunAt / 1000)
      seconds.set(second, (seconds.get(second) ?? 0) + 1)
    }
  }
  return Array.from({ length: minutes }, (_, index) => {
    const beginning = Math.floor(start / minute) * minute + index * minute
    const inside = Array.from({ length: 60 }, (_, s) => seconds.get(beginning / 1000 + s) ?? 0)
    return {
      minute: beginning,
      runs: inside.reduce((sum, n) => sum + n, 0),
      peakSecond: Math.max(...inside),
      truncated: false,
    }
  })
}

describe('a forecast', () => {
  it('counts the runs of each minute and of its busiest second', () => {
    const endpoints = [
      samplePlan(byCron('*/2 * * * *')),
      samplePlan(byCron('*/2 * * * *')),
      samplePlan(byInterval(20_000), { lastRunAt: now, nextRunAt: now + 20_000 }),
    ]
    expect(forecast(endpoints, span(3))).toEqual([
      { minute: from, runs: 1, peakSecond: 1, truncated: false },
      { minute: from + minute, runs: 3, peakSecond: 1, truncated: false },
      { minute: from + 2 * minute, runs: 5, peakSecond: 2, truncated: false },
    ])
  })

  it('is what the previews of all endpoints say together', () => {
    const endpoints = [
      samplePlan(byCron('*/5 * * * * @win(after,4m)')),
      samplePlan(byCron('*/7 * * * *')),
      samplePlan(byInterval(47_000, 30_000)),
      samplePlan(byInterval(minute), { pausedUntil: now + 10 * minute, source: 'paused' }),
      samplePlan(byInterval(minute), { suspended: true }),
      samplePlan({ ...byInterval(2 * minute), concurrency: 'allow' }),
      samplePlan({ ...byCron('0,1,10,11 * * * *'), minIntervalMs: 5 * minute }),
      samplePlan({ ...byCron('0 * * * *'), maxIntervalMs: 25 * minute }),
    ]
    expect(forecast(endpoints, span(180))).toEqual(counted(endpoints, now, 180))
  })

  it('may begin later than now', () => {
    const hourly = [samplePlan(byCron('0 * * * *'))]
    const later = forecast(hourly, span(60, from + 150 * minute))
    expect(later.filter(({ runs }) => runs > 0)).toEqual([
      { minute: from + 180 * minute, runs: 1, peakSecond: 1, truncated: false },
    ])
  })

  it('that begins later follows what is under way from now on', () => {
    const scheduledFor = now - 10_000
    const held = {
      scheduledFor,
      source: 'baseline-cron' as const,
      leaseUntil: now + minute,
      deliveries: 1,
    }
    const running = samplePlan(byCron('0 * * * *'), { held, handledThrough: scheduledFor })
    const interval = samplePlan(byInterval(40 * minute), { held, handledThrough: scheduledFor })
    const later = forecast([running, interval], span(60, from + 150 * minute))
    expect(later.filter(({ runs }) => runs > 0).map((each) => each.minute)).toEqual([
      from + 160 * minute,
      from + 180 * minute,
      from + 200 * minute,
    ])
  })

  it.each([
    ['their tenant', 4, { perMonth: null, used: 0 }],
    ['the whole system', 9, { perMonth: 4, used: 1 }],
  ])('has endpoints share the quota of %s in the order of their runs', (_, perMonth, system) => {
    const end = Date.UTC(2026, 3, 1)
    const late = end - 10 * minute
    const endpoints = [
      samplePlan(byCron('*/4 * * * *'), { nextRunAt: late + 2 * minute }),
      samplePlan(byInterval(3 * minute), { nextRunAt: late + 1, lastRunAt: late }),
    ]
    const allowance = new RunAllowance(perMonth, 1, late, system)
    const minutes = forecast(endpoints, { now: late, from: late, minutes: 16 }, allowance)
    const runs = minutes.flatMap(({ minute: at, runs: count }) =>
      count > 0 ? [[(at - end) / minute, count]] : [],
    )
    // One run is used already; the fourth waits for the month's end, and so does all after it.
    expect(runs).toEqual([
      [-10, 1],
      [-8, 1],
      [-7, 1],
      [0, 2],
      [3, 1],
      [4, 1],
    ])
  })

  it('goes on from now behind a run that is late', () => {
    const late = samplePlan(byInterval(5 * minute), { nextRunAt: now - 7 * minute })
    const busy = forecast([late], span(11)).filter(({ runs }) => runs > 0)
    expect(busy.map((each) => each.minute)).toEqual([from + 5 * minute, from + 10 * minute])
  })

  it('counts nothing from before its beginning', () => {
    const late = samplePlan(byInterval(5 * minute), { nextRunAt: now - 1 })
    expect(forecast([late], span(1))).toMatchObject([{ minute: from, runs: 0 }])
  })

  it('says from which minute on its limit made it incomplete', () => {
    const endpoints = [samplePlan(byCron('* * * * *')), samplePlan(byCron('* * * * *'))]
    const minutes = forecast(endpoints, span(5), noQuota(), 5)
    expect(minutes.map(({ runs, truncated }) => [runs, truncated])).toEqual([
      [0, false],
      [2, false],
      [2, false],
      [1, true],
      [0, true],
    ])
    expect(forecast(endpoints, span(3), noQuota(), 4).some(({ truncated }) => truncated)).toBe(
      false,
    )
  })

  it('of nothing is quiet', () => {
    expect(forecast([], span(2))).toEqual([
      { minute: from, runs: 0, peakSecond: 0, truncated: false },
      { minute: from + minute, runs: 0, peakSecond: 0, truncated: false },
    ])
  })

  it('of the far future is the one that following every run would come to', () => {
    const endpoints = [
      samplePlan(byCron('* * * * * *')),
      samplePlan(byCron('*/5 * * * * @win(after,4m)')),
      samplePlan(byInterval(47_000, 30_000)),
      samplePlan({ ...byCron('*/7 * * * *'), minIntervalMs: 11 * minute }),
      samplePlan(byCron('*/3 * * * *'), { pausedUntil: now + 10 * minute, source: 'paused' }),
    ]
    const far = span(30, from + 600 * minute)
    const everyRun = new RunAllowance(1_000_000, 0, now)
    expect(forecast(endpoints, far)).toEqual(forecast(endpoints, far, everyRun))
  })

  it('does not walk to its beginning where the schedule alone decides', () => {
    const eachSecond = [samplePlan(byCron('* * * * * *'))]
    const far = span(1, from + 100_000 * minute)
    expect(forecast(eachSecond, far, noQuota(), 70)).toEqual([
      { minute: far.from, runs: 60, peakSecond: 1, truncated: false },
    ])
  })

  it('pauses often enough for others to have their turn', () => {
    const endpoints = Array.from({ length: 100 }, () => samplePlan(byCron('* * * * *')))
    const steps = forecastInSteps(endpoints, span(60))
    expect([...steps].length).toBeGreaterThan(20)
  })
})

it('leaves an endpoint its schedule and its limits, and nothing that is sent', () => {
  const limits = { minIntervalMs: 5, concurrency: 'allow' } as const
  const body = { kind: 'text', content: 'x'.repeat(100_000), contentType: null } as const
  const whole = sampleEndpoint({ ...byCron('0 3 * * *'), ...limits, body, headers: { a: 'b' } })
  const bare = scheduleOnly(whole)
  expect(bare.definition).toMatchObject({ ...limits, baseline: whole.definition.baseline })
  expect(JSON.stringify(bare).length).toBeLessThan(1000)
})
