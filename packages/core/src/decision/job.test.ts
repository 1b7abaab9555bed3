import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failure } from '../../test/failure.js'
import { formatInstant, parseInstant } from '../calendar/instant.js'
import type { JobDefinition } from '../definition/index.js'
import { compileJob } from './job.js'

const job = (fields: Partial<JobDefinition>) =>
  compileJob({ identity: 'job', schedule: '0 12 * * *', ...fields })

const at = parseInstant
const shown = (instant: number | null) => (instant === null ? null : formatInstant(instant))

describe('the window', () => {
  const noon = at('2026-03-05T12:00:00Z')
  it.each([
    ['after', '1h', '12:00:00', '13:00:00'],
    ['before', '1h', '11:00:00', '12:00:00'],
    ['around', '1h', '11:30:00', '12:30:00'],
    ['center', '1h', '11:30:00', '12:30:00'],
    ['around', '1h1m1s', '11:29:29', '12:30:30'],
    ['around', '1s', '11:59:59', '12:00:00'],
    ['around', '2s', '11:59:59', '12:00:01'],
    ['around', '1ns', '11:59:59', '12:00:00'],
    ['around', '2s2ns', '11:59:58', '12:00:01'],
    ['after', '999ms', '12:00:00', '12:00:00'],
    ['after', '1500ms', '12:00:00', '12:00:01'],
    ['before', '1500ms', '11:59:58', '12:00:00'],
    ['before', '1ns', '11:59:59', '12:00:00'],
    ['after', '0s', '12:00:00', '12:00:00'],
    ['around', 0, '12:00:00', '12:00:00'],
  ] as const)('%s by %s is %s to %s', (mode, duration, start, end) => {
    const decision = job({ window: { mode, duration } }).decide(noon)
    expect(shown(decision.windowStart)).toBe(`2026-03-05T${start}Z`)
    expect(shown(decision.windowEnd)).toBe(`2026-03-05T${end}Z`)
    expect(decision.chosenTime).toBeGreaterThanOrEqual(decision.windowStart)
    expect(decision.chosenTime).toBeLessThanOrEqual(decision.windowEnd)
  })

  it('of a single second is not sampled', () => {
    const { attempts, chosenTime } = job({ window: { mode: 'after', duration: '999ms' } }).decide(
      noon,
    )
    expect({ attempts, chosenTime }).toEqual({ attempts: 0, chosenTime: noon })
  })

  it('longer than the smallest gap is refused with both figures', () => {
    const compiled = (schedule: string, duration: string) => () =>
      job({ schedule, window: { mode: 'after', duration } })
    const fits = [
      ['* * * * *', '1m'],
      ['0 * * * *', '1h'],
      ['0 0 * * *', '24h'],
      ['0 0 1 * *', '672h'],
      ['0 0 * * 1', '168h'],
      ['0 0 29 2 *', '8784h'],
      ['0 2,3 * * *', '1h'],
      ['0 0 1,31 * *', '24h'],
      ['30 23 * * *', '24h'],
      ['0 0 31 12 *', '8760h'],
    ]
    const tooLarge = [
      ['* * * * *', '1m1s', '1m'],
      ['*/7 * * * *', '4m1s', '4m'],
      ['0 * * * *', '1h1ms', '1h'],
      ['0 0,23 * * *', '1h1s', '1h'],
      ['0 0 * * *', '24h1s', '24h'],
      ['0 0 1 * *', '672h1s', '672h'],
      ['0 0 * * 1,5', '72h1s', '72h'],
      ['0 0 * * 1', '168h1s', '168h'],
      ['0 0 1,31 * *', '24h1s', '24h'],
      ['0 1,5 10,20 * *', '4h1s', '4h'],
      ['0 0 28 2,3 *', '672h1s', '672h'],
    ]
    for (const [schedule, duration] of fits) expect(compiled(schedule!, duration!)).not.toThrow()
    for (const [schedule, duration, gap] of tooLarge) {
      expect(failure(compiled(schedule!, duration!))).toMatchObject({
        name: 'ValidationError',
        code: 'KRON_WINDOW_OVERLAP',
        message: `window of ${duration} is too large: "${schedule}" has periods only ${gap} apart`,
        details: { field: 'window.duration', allowed: `at most ${gap}` },
      })
    }
  })

  it('of nothing needs no gap, and a schedule that never runs is refused', () => {
    expect(() => job({ schedule: '* * * * *' })).not.toThrow()
    for (const schedule of ['0 0 31 2 *', '0 0 30,31 2 *', '0 0 31 4,6,9,11 *']) {
      expect(failure(() => job({ schedule }))).toMatchObject({
        name: 'ValidationError',
        code: 'KRON_CRON_NEVER',
        message: `schedule "${schedule}" never runs: no month has such a day`,
        details: { field: 'schedule', allowed: 'an expression that matches some date' },
      })
    }
  })
})

describe('periods', () => {
  it('the current one is the previous nominal time for a window after', () => {
    const daily = job({ window: { mode: 'after', duration: '2h' } })
    const current = (text: string) => shown(daily.currentPeriod(at(text)))
    expect(current('2026-03-05T11:59:59Z')).toBe('2026-03-04T12:00:00Z')
    expect(current('2026-03-05T12:00:00Z')).toBe('2026-03-05T12:00:00Z')
    expect(current('2026-03-06T11:59:59Z')).toBe('2026-03-05T12:00:00Z')
  })

  it('the current one opens with its window for the other modes', () => {
    const around = job({ window: { mode: 'around', duration: '2h' } })
    const before = job({ window: { mode: 'before', duration: '2h' } })
    const open = '2026-03-05T12:00:00Z'
    const earlier = '2026-03-04T12:00:00Z'
    expect(shown(around.currentPeriod(at('2026-03-05T10:59:59Z')))).toBe(earlier)
    expect(shown(around.currentPeriod(at('2026-03-05T10:59:59.999Z')))).toBe(earlier)
    expect(shown(around.currentPeriod(at('2026-03-05T11:00:00Z')))).toBe(open)
    expect(shown(before.currentPeriod(at('2026-03-05T09:59:59Z')))).toBe(earlier)
    expect(shown(before.currentPeriod(at('2026-03-05T10:00:00Z')))).toBe(open)
  })

  it('is the greatest window start, for any duration', () => {
    const minutes = fc.integer({ min: 0, max: 3_600_000 })
    const modes = fc.constantFrom('after', 'around', 'before')
    const check = fc.property(
      minutes,
      modes,
      fc.integer({ min: 0, max: 4e9 }),
      (ms, mode, offset) => {
        const hourly = job({ schedule: '0 * * * *', window: { mode, duration: ms } })
        const now = at('2026-03-05T12:00:00Z') + offset
        const current = hourly.currentPeriod(now)!
        const following = hourly.nextPeriod(current)!
        expect(hourly.decide(current).windowStart).toBeLessThanOrEqual(now)
        expect(hourly.decide(following).windowStart).toBeGreaterThan(now)
        expect(hourly.supersededAt(current)).toBe(hourly.decide(following).windowStart)
      },
    )
    fc.assert(check, { numRuns: 1000, seed: 3 })
  })

  it('of a day of 23 hours are superseded before a window of 24 hours ends', () => {
    const daily = job({
      schedule: '0 0 * * *',
      timezone: 'America/New_York',
      window: { mode: 'after', duration: '24h' },
    })
    const short = at('2026-03-08T05:00:00Z')
    expect(daily.supersededAt(short)).toBe(at('2026-03-09T04:00:00Z'))
    expect(daily.supersededAt(short)).toBeLessThan(daily.decide(short).windowEnd)
  })

  it('end where the calendar does', () => {
    const last = job({ schedule: '0 0 29 2 *' })
    expect(last.nextPeriod(8.64e15)).toBeNull()
    expect(last.supersededAt(8.64e15)).toBeNull()
    expect(last.currentPeriod(-8.64e15)).toBeNull()
  })
})

describe('a job', () => {
  it('can not be changed', () => {
    const daily = job({}) as { spec: unknown }
    expect(() => {
      daily.spec = null
    }).toThrow(TypeError)
    expect(Object.isFrozen(job({}).spec.window)).toBe(true)
  })

  it('decides the same, however often and in whatever order it is asked', () => {
    const definitions: Partial<JobDefinition>[] = [
      { window: { mode: 'after', duration: '3h' } },
      { window: { mode: 'around', duration: '2h' }, distribution: 'normal' },
      { window: { mode: 'after', duration: '3h' }, constraints: { only: ['hours=14'] } },
    ]
    const periods = Array.from({ length: 50 }, (_, day) => at('2026-03-05T12:00:00Z') + day * 864e5)
    const jobs = definitions.map(job)
    const once = jobs.map((one) => periods.map((period) => one.decide(period)))
    const again = periods.toReversed().flatMap((period) => jobs.map((one) => one.decide(period)))
    const fresh = definitions.map((one) => periods.map((period) => job(one).decide(period)))
    expect(fresh).toEqual(once)
    const inOrder = periods
      .toReversed()
      .flatMap((_, index) => once.map((all) => all.at(-1 - index)))
    expect(again).toEqual(inOrder)
  })

  it('names what it was asked for without an answer', () => {
    const daily = job({})
    expect(() => daily.decide(0.5)).toThrow(/^nominalTime must be/)
    expect(() => daily.explain(Number.NaN)).toThrow(/^nominalTime must be/)
    expect(() => daily.acceptance(1.5)).toThrow(/^nominalTime must be/)
    expect(() => daily.currentPeriod(Number.NaN)).toThrow(/^now must be/)
    expect(() => daily.nextPeriod(Number.NaN)).toThrow(/^after must be/)
  })
})

describe('what a job tells of itself', () => {
  it('has its definition, normalised', () => {
    const { spec, identity, policy, zone } = job({ timezone: 'US/Eastern' })
    expect({ identity, policy, zone: zone.name, spec }).toEqual({
      identity: 'job',
      policy: { concurrency: 'forbid', deadline: 0, suspend: false, first: 'wait' },
      zone: 'US/Eastern',
      spec: {
        identity: 'job',
        schedule: '0 12 * * *',
        dialect: 'standard',
        timezone: 'US/Eastern',
        window: { mode: 'after', duration: 0 },
        distribution: { name: 'uniform', params: {} },
        seed: { strategy: 'stable', salt: '' },
        constraints: { only: [], avoid: [] },
        policy: { concurrency: 'forbid', deadline: 0, suspend: false, first: 'wait' },
      },
    })
  })

  it('explains each draw: where it fell and what turned it down', () => {
    const picky = job({
      window: { mode: 'after', duration: '2h' },
      constraints: { only: ['hours=13'], avoid: ['between=13:00-13:29'] },
    })
    const { decision, samples } = picky.explain(at('2026-03-05T12:00:00Z'))
    expect(decision).toEqual(picky.decide(decision.nominalTime))
    expect(samples).toHaveLength(decision.attempts)
    expect(samples.at(-1)).toMatchObject({ candidate: decision.chosenTime, rejectedBy: null })
    for (const sample of samples) {
      expect(sample.candidate).toBe(decision.windowStart + sample.offset! * 1000)
      expect(sample.x).toBe(sample.u)
    }
    for (const sample of samples.slice(0, -1)) {
      expect(sample.rejectedBy).toMatch(/^(only hours=13|avoid between=13:00-13:29)$/)
    }
  })

  it('explains a draw without constraints, and one by the local clock', () => {
    const nominal = at('2026-03-05T12:00:00Z')
    const window = { mode: 'after', duration: '2h' } as const
    expect(job({ window }).explain(nominal).samples).toMatchObject([{ rejectedBy: null }])
    // 12:00 to 14:00 in UTC is 21:00 to 23:00 in Tokyo.
    const late = job({
      schedule: '0 21 * * *',
      timezone: 'Asia/Tokyo',
      window,
      constraints: { only: ['dow=SUN'], avoid: ['hours=21'] },
    })
    const { samples } = late.explain(nominal)
    expect(samples).toHaveLength(64)
    for (const { rejectedBy } of samples) expect(rejectedBy).toBe('only dow=SUN')
    const inTokyo = job({
      schedule: '0 21 * * *',
      timezone: 'Asia/Tokyo',
      window,
      constraints: { only: ['hours=21-22'] },
    })
    expect(inTokyo.explain(nominal).samples).toMatchObject([{ rejectedBy: null }])
  })

  it('explains an exact draw, and a window without any allowed second', () => {
    const exactJob = (only: string[]) =>
      job({
        window: { mode: 'after', duration: '2h' },
        distribution: { name: 'uniform', params: { sample: 'exact' } },
        constraints: { only },
      })
    const exact = (only: string[]) => exactJob(only).explain(at('2026-03-05T12:00:00Z'))
    const found = exact(['hours=13'])
    expect(found.decision).toMatchObject({ attempts: 1, unschedulable: false })
    const { chosenTime, windowStart, nominalTime } = found.decision
    const offset = (chosenTime! - windowStart) / 1000
    expect(found.samples).toMatchObject([
      { x: null, offset, candidate: chosenTime, rejectedBy: null },
    ])
    expect(exactJob(['hours=13']).decide(nominalTime)).toEqual(found.decision)
    const none = exact(['dow=SUN'])
    expect(none.decision).toMatchObject({
      attempts: 0,
      unschedulable: true,
      chosenTime: null,
      reason: 'no second of the window is allowed',
    })
    expect(none.samples).toMatchObject([
      { candidate: null, offset: null, rejectedBy: 'no second of the window is allowed' },
    ])
  })

  it('knows how likely a draw is accepted, and how likely none is', () => {
    const noon = at('2026-03-05T12:00:00Z')
    const share = (fields: Partial<JobDefinition>) => {
      const described = job({ window: { mode: 'after', duration: '2h' }, ...fields })
      return [described.acceptance(noon), described.unschedulableProbability(noon)]
    }
    expect(share({})).toEqual([1, 0])
    const [half, never] = share({ constraints: { only: ['hours=12'] } })
    expect(half).toBeCloseTo(3600 / 7201, 12)
    expect(never).toBeCloseTo((1 - 3600 / 7201) ** 64, 30)
    expect(share({ constraints: { only: ['dow=SUN'] } })).toEqual([0, 1])
    const exact = { name: 'uniform', params: { sample: 'exact' } } as const
    const [, certain] = share({ constraints: { only: ['hours=12'] }, distribution: exact })
    expect(certain).toBe(0)
    expect(share({ constraints: { only: ['dow=SUN'] }, distribution: exact })).toEqual([0, 1])
    const [early] = share({ constraints: { only: ['hours=12'] }, distribution: 'skewEarly' })
    expect(early).toBeCloseTo(Math.sqrt(3600 / 7201), 12)
    const point = { window: { mode: 'after', duration: 0 } } as const
    expect(share({ ...point, constraints: { only: ['hours=12'] } })).toEqual([1, 0])
    expect(share({ ...point, constraints: { only: ['dow=SUN'] } })).toEqual([0, 1])
  })
})
