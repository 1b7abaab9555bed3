import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileJob } from '../decision/index.js'
import { evaluate } from './evaluate.js'
import { executableUntil } from './executable-until.js'
import { plannedPeriod } from './planned-period.js'

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
