import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileJob } from '../decision/index.js'
import type { JobDefinition } from '../definition/index.js'
import { evaluate } from './evaluate.js'
import {
  dueTime,
  executableUntil,
  nextChosenPeriod,
  nextToHandle,
  plannedPeriod,
} from './planned-period.js'

const job = (definition: Partial<JobDefinition> = {}) =>
  compileJob({ identity: 'x', schedule: '0 * * * *', ...definition })

const at = (text: string): number => Date.parse(`2026-03-01T${text}Z`)

describe('the period to handle next', () => {
  it.each([
    ['is the current one when nothing was handled yet', '10:20:00', null, '10:00:00'],
    ['is the current one after downtime, not those before it', '10:20:00', '03:00:00', '10:00:00'],
    ['is the following one when the current one was handled', '10:20:00', '10:00:00', '11:00:00'],
    ['follows the last one handled when the clock went back', '07:20:00', '10:00:00', '11:00:00'],
  ])('%s', (_, now, handled, next) => {
    const through = handled === null ? null : at(handled)
    expect(nextToHandle(job(), at(now), through)).toBe(at(next))
  })

  it('is one whose window is open already', () => {
    const around = job({ window: { mode: 'around', duration: '30m' } })
    expect(nextToHandle(around, at('10:44:59'), null)).toBe(at('10:00:00'))
    expect(nextToHandle(around, at('10:45:00'), null)).toBe(at('11:00:00'))
  })
})

describe('a planned period', () => {
  it('is due at its chosen time', () => {
    const decision = job({ window: { mode: 'after', duration: '30m' } }).decide(at('10:00:00'))
    expect(dueTime(job(), plannedPeriod(decision))).toBe(decision.chosenTime)
  })

  it('is due when its window opens if it has no chosen time', () => {
    const never = job({
      window: { mode: 'around', duration: '30m' },
      constraints: { avoid: ['hours=0-22'] },
    })
    const planned = plannedPeriod(never.decide(at('10:00:00')))
    expect(planned.reason).toMatch(/no candidate/)
    expect(dueTime(never, planned)).toBe(at('09:45:00'))
  })

  it('is due when the next one takes over, if that comes first', () => {
    // At 03:00 the clock of New York goes from 01:59 to 03:00: the windows of 01:00 and 03:00 meet.
    const definition = {
      schedule: '0 1,3 * * *',
      timezone: 'America/New_York',
      window: { mode: 'after', duration: '2h' },
    } as const
    const nominal = Date.parse('2026-03-08T06:00:00Z')
    const opens = Date.parse('2026-03-08T07:00:00Z')
    const identities = Array.from({ length: 40 }, (_, number) => `job-${number}`)
    const dues = identities.map((identity) => {
      const some = job({ ...definition, identity })
      const planned = plannedPeriod(some.decide(nominal))
      return [planned.chosenTime!, dueTime(some, planned)] as const
    })
    expect(dues.some(([chosen]) => chosen > opens)).toBe(true)
    for (const [chosen, due] of dues) expect(due).toBe(Math.min(chosen, opens))
  })
})

describe('the next period by its chosen time', () => {
  const spread = job({ window: { mode: 'after', duration: '1h' } })
  const chosen = spread.decide(at('10:00:00')).chosenTime!

  it('is the current one until its chosen time has come', () => {
    const current = { nominalTime: at('10:00:00'), chosenTime: chosen }
    expect(nextChosenPeriod(spread, at('10:00:00'))).toEqual(current)
    expect(nextChosenPeriod(spread, chosen - 1)).toEqual(current)
    const following = spread.decide(at('11:00:00')).chosenTime!
    const next = { nominalTime: at('11:00:00'), chosenTime: following }
    expect(nextChosenPeriod(spread, chosen)).toEqual(next)
  })

  it('is none that has no allowed time', () => {
    const late = job({ constraints: { only: ['hours=20-22'] } })
    const eight = at('20:00:00')
    expect(nextChosenPeriod(late, at('10:00:00'))).toEqual({
      nominalTime: eight,
      chosenTime: eight,
    })
  })

  it('is null when all allowed dates have passed', () => {
    const over = job({ constraints: { only: ['date=2026-02-28'] } })
    expect(nextChosenPeriod(over, at('10:00:00'))).toBeNull()
  })
})

const schedules = fc.record({
  schedule: fc.constantFrom('* * * * *', '*/5 * * * *', '0 1,3 * * *', '30 1 * * *'),
  timezone: fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe'),
  minutes: fc.constantFrom(0, 1),
  deadline: fc.constantFrom(0, 999, 1000, 1500, 30_000, 60_000, 3_600_000, 90_000_000),
  identity: fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme-ascii' }),
  at: fc.integer({ min: Date.UTC(2026, 2, 7), max: Date.UTC(2026, 3, 7) }),
})

describe('the time until which a period may be executed', () => {
  it('is the first instant at which the verdict is another one', () => {
    const check = fc.property(schedules, ({ minutes, deadline, at, ...definition }) => {
      const window = { mode: 'after', duration: minutes * 60_000 } as const
      const job = compileJob({ ...definition, window, policy: { deadline } })
      const planned = plannedPeriod(job.decide(job.currentPeriod(at)!))
      const until = executableUntil(job, planned)
      const verdictAt = (now: number): string =>
        evaluate({
          decision: planned,
          policy: job.policy,
          now,
          handledThrough: null,
          active: false,
          supersededAt: job.supersededAt(planned.nominalTime),
        }).kind
      expect(['missed', 'skipped']).toContain(verdictAt(until))
      // A period that gives way before its chosen time never may be.
      if (until > planned.chosenTime!) expect(verdictAt(until - 1)).toBe('execute')
    })
    fc.assert(check, { numRuns: 2000, seed: 20_260_301 })
  })
})
