import { formatInstant } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow as now } from '../../testing/sample-endpoint.js'
import { decide, everyMinute, period } from '../../testing/scheduling/decided-claim.js'
import { monthEnd, type Plan } from '../domain/index.js'

const minute = 60_000
const hour = 3_600_000
/** The last full minute before `now`. */
const noon = now - 30_000

describe('a planned run', () => {
  it.each([
    ['baseline-interval', byInterval(hour)],
    ['ai-interval', byInterval(hour)],
    ['ai-oneshot', byInterval(hour)],
    ['clamped-min', byInterval(hour)],
    ['clamped-max', everyMinute],
    ['baseline-cron', byCron('0 * * * *')],
  ] as const)('is started with its source %s', (source, change) => {
    const planned = { nextRunAt: now - 5, source, periodId: 'p', fence: 3 }
    const { decision } = decide(change, planned)
    expect(decision.start).toMatchObject({ scheduledFor: now - 5, source, periodId: 'p', fence: 4 })
    expect(decision.plan).toMatchObject({ fence: 4, handledThrough: now - 5 })
    expect(decision.plan.held).toEqual({
      scheduledFor: now - 5,
      source,
      leaseUntil: now + 60_000,
      deliveries: 1,
    })
    expect(decision).toMatchObject({ ended: [], replaceOthers: false })
  })

  it('takes the place of no other run', () => {
    const { decision } = decide(byInterval(hour), { nextRunAt: now })
    expect(decision.start).toMatchObject({ replaces: 'nothing', attempts: 0, overlapping: false })
  })

  it('has the id of its instant when its plan has none', () => {
    const { decision } = decide(byInterval(hour), { nextRunAt: now, periodId: null })
    expect(decision.start!.periodId).toBe(formatInstant(now))
  })

  it('of a schedule that gave way to an interval is started as it was planned', () => {
    const planned = { nextRunAt: now, source: 'baseline-cron', periodId: 'p' } as const
    const { decision } = decide(byInterval(hour), planned)
    expect(decision.start).toMatchObject({ scheduledFor: now, periodId: 'p' })
  })

  it('that is claimed early holds its lease from when it is due', () => {
    const { decision } = decide(byInterval(hour), { nextRunAt: now + 5000 })
    expect(decision.start).toMatchObject({ scheduledFor: now + 5000, leaseUntil: now + 65_000 })
  })

  it.each([
    ['ai-oneshot', true],
    ['clamped-min', true],
    ['clamped-max', true],
    ['ai-interval', false],
    ['baseline-interval', false],
  ] as const)('of source %s uses up a one-shot: %s', (source, isUsed) => {
    const oneShotHint = { nextRunAt: now, expiresAt: now + hour, reason: null, by: 'x' }
    const { decision } = decide(byInterval(hour), { nextRunAt: now, source, oneShotHint })
    expect(decision.plan.oneShotHint).toEqual(isUsed ? null : oneShotHint)
  })

  it('says what stood behind it: hints that have not expired, and what a limit refused', () => {
    const intervalHint = { intervalMs: 7, expiresAt: now + 1, reason: 'i', by: 'x' }
    const oneShotHint = { nextRunAt: 5, expiresAt: now + 1, reason: null, by: 'x' }
    const hints = { intervalHint, oneShotHint, failureCount: 2 }
    const context = (planned: Partial<Plan>) =>
      decide(byInterval(hour), { nextRunAt: now, ...planned }).decision.start!.context
    expect(context(hints)).toEqual({
      failureCount: 2,
      intervalHint: { intervalMs: 7, reason: 'i', giver: 'x' },
      oneShotHint: { nextRunAt: 5, reason: null, giver: 'x' },
    })
    const over = { ...intervalHint, expiresAt: now }
    const past = { ...oneShotHint, expiresAt: now }
    expect(context({ intervalHint: over, oneShotHint: past })).toEqual({ failureCount: 0 })
    expect(context({ source: 'clamped-min' }).violations).toEqual(['minIntervalMs'])
    expect(context({ source: 'clamped-max' }).violations).toEqual(['maxIntervalMs'])
  })
})

describe('several periods that have come', () => {
  it('are written down but for the latest, which runs', () => {
    const { decision } = decide(everyMinute, period(noon - 2 * minute))
    expect(decision.start).toMatchObject({ scheduledFor: noon, periodId: formatInstant(noon) })
    const rows = decision.ended.map((row) => [row.scheduledFor, row.status, row.reason])
    expect(rows).toEqual([
      [noon - 2 * minute, 'skipped', 'superseded'],
      [noon - minute, 'skipped', 'superseded'],
    ])
    expect(decision.plan).toMatchObject({ handledThrough: noon, ...period(noon) })
  })

  it('count as they are at the very instant of a period', () => {
    const due = period(noon - minute)
    expect(decide(everyMinute, due, { at: noon }).decision.start!.scheduledFor).toBe(noon)
    const before = decide(everyMinute, due, { at: noon - 1 }).decision
    expect(before.start!.scheduledFor).toBe(noon - minute)
    expect(before.ended).toEqual([])
  })

  it('do not concern a run that the schedule did not plan', () => {
    const planned = { ...period(noon - 5 * minute), source: 'ai-interval' } as const
    const { decision } = decide(everyMinute, planned)
    expect(decision).toMatchObject({ start: { scheduledFor: noon - 5 * minute }, ended: [] })
  })
})

describe('a deadline', () => {
  const strict = { ...byCron('0 0 1 1 *'), deadlineMs: 10_000 }
  it.each([
    ['to the end of the last second that it allows', 10_999, true],
    ['not a millisecond longer', 11_000, false],
  ])('lets a run start late %s', (_, late, starts) => {
    const { decision } = decide(strict, period(noon), { at: noon + late })
    expect(decision.start !== null).toBe(starts)
  })

  it('writes down what is too late, and plans on after it', () => {
    const { decision } = decide({ ...everyMinute, deadlineMs: 1000 }, period(noon - minute))
    expect(decision.start).toBeNull()
    const rows = decision.ended.map((row) => [row.scheduledFor, row.status, row.reason])
    expect(rows).toEqual([
      [noon - minute, 'missed', '1m30s late, deadline 1s'],
      [noon, 'missed', '30s late, deadline 1s'],
    ])
    expect(decision.plan).toMatchObject({
      ...period(noon + minute),
      source: 'baseline-cron',
      handledThrough: noon,
      held: null,
      fence: 0,
    })
  })

  it('uses up a one-shot that is too late, so that it does not run all the same', () => {
    const oneShotHint = { nextRunAt: now - hour, expiresAt: now + hour, reason: null, by: 'x' }
    const planned = { nextRunAt: now - hour, source: 'ai-oneshot', oneShotHint } as const
    const { decision } = decide({ ...byCron('0 0 1 1 *'), deadlineMs: 1000 }, planned)
    expect(decision.ended).toMatchObject([{ status: 'missed', source: 'ai-oneshot' }])
    expect(decision.plan).toMatchObject({ oneShotHint: null, source: 'baseline-cron' })
  })

  it('is none by default', () => {
    const newYear = Date.UTC(2026, 0, 1)
    const since = { responsibility: null, handledThrough: newYear - 1 }
    const { decision } = decide(byCron('0 0 1 1 *'), { ...period(newYear), ...since })
    expect(decision.start).not.toBeNull()
  })
})

describe('an endpoint that waits', () => {
  it.each(['paused', 'quota', 'system-quota'] as const)(
    '(%s) is left alone before its time',
    (source) => {
      const { decision } = decide(byInterval(hour), { source, nextRunAt: now + 1 })
      expect(decision).toBeNull()
    },
  )

  it.each(['paused', 'quota', 'system-quota'] as const)(
    '(%s) is planned when its time has come',
    (source) => {
      const planned = { source, nextRunAt: now, lastRunAt: now - minute, pausedUntil: now }
      const { decision } = decide(byInterval(hour), planned)
      expect(decision).toMatchObject({ start: null, ended: [] })
      expect(decision.plan).toMatchObject({
        nextRunAt: now + hour - minute,
        source: 'baseline-interval',
      })
    },
  )

  it('for its quota says so, and until when', () => {
    const { decision } = decide(everyMinute, period(noon), { runsLeft: 0 })
    expect(decision).toMatchObject({ start: null, ended: [] })
    expect(decision.plan).toMatchObject({ nextRunAt: monthEnd(now), source: 'quota', fence: 0 })
    expect(decide(everyMinute, period(noon), { runsLeft: 1 }).decision.start).not.toBeNull()
    expect(decide(everyMinute, period(noon), { runsLeft: -5 }).decision.start).toBeNull()
  })

  it('for the quota of the whole system says that it is that one', () => {
    const over = decide(everyMinute, period(noon), { runsLeft: 9, systemRunsLeft: 0 }).decision
    expect(over.start).toBeNull()
    expect(over.plan).toMatchObject({ nextRunAt: monthEnd(now), source: 'system-quota', fence: 0 })
    const within = decide(everyMinute, period(noon), { systemRunsLeft: 1 }).decision
    expect(within.start).not.toBeNull()
    const both = decide(everyMinute, period(noon), { runsLeft: 0, systemRunsLeft: 0 }).decision
    expect(both.plan.source).toBe('quota')
  })

  it('for nothing gets the plan that it lacks', () => {
    const { decision } = decide(everyMinute, { nextRunAt: null, periodId: null })
    expect(decision).toMatchObject({ start: null, ended: [], plan: period(noon + minute) })
  })

  it('suspended is not planned at all', () => {
    const { decision } = decide(everyMinute, { ...period(noon), suspended: true })
    expect(decision).toMatchObject({ start: null, plan: { nextRunAt: null, suspended: true } })
    expect(decision).toMatchObject({ ended: [], replaceOthers: false })
  })
})

describe('a run that was asked for', () => {
  const requested = { at: now - 5, source: 'manual' } as const
  it.each([
    ['before a plan for later', { nextRunAt: now }, true],
    ['not before a plan for the same instant', { nextRunAt: now - 5 }, false],
    ['not before an earlier plan', { nextRunAt: now - 6 }, false],
    ['before an earlier end of a pause', { nextRunAt: now - 6, source: 'paused' }, true],
    ['before an earlier end of a quota', { nextRunAt: now - 6, source: 'quota' }, true],
    ['when nothing is planned', { nextRunAt: null }, true],
    ['while suspended', { nextRunAt: now - 6, suspended: true }, true],
  ] as const)('goes %s', (_, planned, isFirst) => {
    const { decision } = decide(byInterval(hour), { ...planned, requested })
    expect(decision.start!.source === 'manual').toBe(isFirst)
    expect(decision.plan.requested).toEqual(isFirst ? null : requested)
  })

  it('leaves the plan beside it as it is', () => {
    const { decision } = decide(everyMinute, { ...period(noon + minute), requested })
    expect(decision.plan).toMatchObject({
      ...period(noon + minute),
      source: 'baseline-cron',
      held: { scheduledFor: now - 5, source: 'manual' },
    })
    expect(decision.start).toMatchObject({
      scheduledFor: now - 5,
      periodId: '2026-03-01T12:00:29.995Z',
      replaces: 'pending',
    })
    expect(decision.ended).toEqual([])
  })

  it('does not bring up again what was handled after it', () => {
    const { decision } = decide(everyMinute, { requested, handledThrough: now + hour })
    expect(decision.plan.handledThrough).toBe(now + hour)
  })

  it.each([
    ['is kept where there is one', { nextRunAt: now + hour, source: 'quota' }, 'quota', now + hour],
    ['is made where there is none', { nextRunAt: null }, 'baseline-cron', noon + minute],
  ] as const)('and is refused leaves a plan, which %s', (_, planned, source, nextRunAt) => {
    const { decision } = decide(everyMinute, { ...planned, requested }, { runsLeft: 0 })
    expect(decision).toMatchObject({ start: null, plan: { source, nextRunAt, requested: null } })
  })

  it('is refused when the quota was used up meanwhile', () => {
    const planned = { ...period(noon + minute), requested }
    const { decision } = decide(everyMinute, planned, { runsLeft: 0 })
    expect(decision.start).toBeNull()
    const row = { scheduledFor: now - 5, source: 'manual', status: 'skipped', reason: 'quota' }
    expect(decision.ended).toMatchObject([{ ...row, wasRunning: true }])
    expect(decision.plan).toMatchObject({ ...period(noon + minute), requested: null })
    const ofAll = decide(everyMinute, planned, { runsLeft: 9, systemRunsLeft: 0 }).decision
    expect(ofAll.ended).toMatchObject([{ ...row, reason: 'system_quota' }])
  })
})

describe('a run that may overlap', () => {
  it.each([
    ['allow', false],
    ['replace', true],
  ] as const)('(%s) leaves the endpoint free for the next one', (concurrency, replaceOthers) => {
    const { decision } = decide({ ...everyMinute, concurrency }, period(noon))
    expect(decision.replaceOthers).toBe(replaceOthers)
    expect(decision.start).toMatchObject({ overlapping: true, leaseUntil: now + 60_000 })
    expect(decision.plan).toMatchObject({
      held: null,
      lastRunAt: now,
      handledThrough: noon,
      ...period(noon + minute),
    })
  })

  it('and ends the one before it is not claimed ahead of its time, for that one may go on', () => {
    const change = { ...everyMinute, concurrency: 'replace' } as const
    const at = noon + minute
    expect(decide(change, period(at), { at: at - 1 }).decision).toBeNull()
    expect(decide(change, period(at), { at }).decision.start).toMatchObject({ scheduledFor: at })
  })

  it.each([
    ['a period that is due', everyMinute, period(noon), noon],
    ['a period that is due now', byCron('30 * * * * *'), period(now), now],
    ['one that is still to come', everyMinute, period(noon + minute), noon + minute],
    ['an interval, which counts from it', byInterval(hour), { nextRunAt: now }, now + hour],
  ] as const)('and was asked for leaves %s', (_, change, planned, nextRunAt) => {
    const requested = { at: noon - 5, source: 'manual' } as const
    const { decision } = decide({ ...change, concurrency: 'allow' }, { ...planned, requested })
    expect(decision.start).toMatchObject({ scheduledFor: noon - 5, overlapping: true })
    expect(decision.plan).toMatchObject({ nextRunAt, requested: null, held: null })
  })

  it.each([
    ['a period that is due as it is', noon, noon, 'baseline-cron'],
    ['a period that is due now as it is', now, now, 'baseline-cron'],
    ['one that is still to come to the minimum', noon + minute, now + hour, 'clamped-min'],
    ['none without a plan', null, now + hour, 'clamped-min'],
  ] as const)('and was asked for, with a minimum interval, leaves %s', (_, at, next, source) => {
    const change = {
      ...byCron('*/30 * * * * *'),
      minIntervalMs: hour,
      concurrency: 'allow',
    } as const
    const requested = { at: noon - 5, source: 'manual' } as const
    const { decision } = decide(change, { nextRunAt: at, source: 'baseline-cron', requested })
    expect(decision.start).toMatchObject({ scheduledFor: noon - 5, overlapping: true })
    expect(decision.plan).toMatchObject({ nextRunAt: next, source, lastRunAt: now })
  })

  it('and was asked for leaves an endpoint that is suspended without a plan', () => {
    const requested = { at: noon - 5, source: 'manual' } as const
    const planned = { ...period(noon), requested, suspended: true }
    const { decision } = decide({ ...everyMinute, concurrency: 'allow' }, planned)
    expect(decision.plan).toMatchObject({ nextRunAt: null, periodId: null })
  })

  it('that is claimed early is followed by the period after it', () => {
    const change = { ...everyMinute, concurrency: 'allow' } as const
    const { decision } = decide(change, period(noon + minute))
    expect(decision.plan).toMatchObject({
      ...period(noon + 2 * minute),
      lastRunAt: noon + minute,
    })
  })
})
