import { describe, expect, it } from 'vitest'
import { byInterval, sampleNow as now, samplePlan } from '../../testing/sample-endpoint.js'
import { emptyResponse, sampleOutcome } from '../../testing/sample-outcome.js'
import type { EndpointDefinition, Plan, Steering } from '../domain/index.js'
import { responseHints } from './outcome-decision.js'
import type { Outcome } from './planning.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

interface Given {
  readonly definition?: Partial<EndpointDefinition>
  readonly plan?: Partial<Plan>
  readonly outcome?: Partial<Outcome>
}

/** Of a response, at `now`, to a run of the last second, of an endpoint that allows steering. */
function hintsOf(said: Partial<Steering>, { definition, plan: planned, outcome }: Given = {}) {
  const { plan, compiled } = samplePlan(
    { steering: true, ...byInterval(hour), ...definition },
    planned,
  )
  const run = { ...plan, scheduledFor: now - 1000, overlapping: false }
  const times = { startedAt: now - 1000, endedAt: now }
  const ended = sampleOutcome(run, now, { response: emptyResponse, ...times, ...outcome })
  return responseHints(ended, compiled, plan, now, () => ({ problems: [], ...said }))
}

describe('a response', () => {
  it('may ask for a run and for an interval', () => {
    const said = {
      nextRunAt: now + minute,
      nextRunTtlMs: 5 * minute,
      intervalMs: 2000,
      intervalTtlMs: 7,
    }
    expect(hintsOf(said)).toEqual({
      hints: {
        oneShotHint: {
          nextRunAt: now + minute,
          expiresAt: now + 5 * minute,
          reason: 'Kron-Next-Run of the response',
          by: 'response',
        },
        intervalHint: {
          intervalMs: 2000,
          expiresAt: now + 7,
          reason: 'Kron-Interval of the response',
          by: 'response',
        },
      },
      notes: [],
    })
  })

  it.each([
    ['that asks for nothing', {}, {}],
    [
      'whose endpoint allows none',
      { nextRunAt: now + minute },
      { definition: { steering: false } },
    ],
    ['that there was none of', { nextRunAt: now + minute }, { outcome: { response: null } }],
  ])('%s gives no hints', (_name, said, given) => {
    expect(hintsOf(said, given)).toEqual({ hints: {}, notes: [] })
  })

  it('that can not be understood is noted', () => {
    expect(hintsOf({ problems: ['a', 'b'] })).toEqual({ hints: {}, notes: ['a', 'b'] })
  })
})

describe('a run that a response asks for', () => {
  const expiryOf = (said: Partial<Steering>) =>
    (hintsOf(said).hints.oneShotHint?.expiresAt ?? now) - now

  it.each([
    ['an hour', { nextRunAt: now + minute }, hour],
    ['until its time where that is later', { nextRunAt: now + day }, day],
    ['as long as it says', { nextRunAt: now + minute, nextRunTtlMs: minute }, minute],
  ])('is wanted for %s', (_name, said, ttl) => {
    expect(expiryOf(said)).toBe(ttl)
  })

  it('is wanted no longer than a hint may be', () => {
    const longest = expiryOf({ nextRunAt: now + minute, nextRunTtlMs: 1e15 })
    expect(longest).toBeLessThan(1e15)
    expect(expiryOf({ nextRunAt: now + longest })).toBe(longest)
    const { hints, notes } = hintsOf({ nextRunAt: now + longest + 1 })
    expect(hints).toEqual({})
    expect(notes).toEqual([expect.stringMatching(/^Kron-Next-Run: .* is after the hint expires/)])
  })

  it.each([
    ['in the second of its end', now + 999, { endedAt: now + 1 }],
    ['in the second of a start after its end', now + 1999, { startedAt: now + 1000 }],
  ])('%s is none', (_name, nextRunAt, outcome) => {
    const { hints, notes } = hintsOf({ nextRunAt }, { outcome })
    expect(hints).toEqual({})
    expect(notes).toEqual([
      expect.stringContaining('is not after the run itself, of 2026-03-01T12:00:'),
    ])
  })

  it('in the second after its end is one', () => {
    expect(hintsOf({ nextRunAt: now + 1000 }).hints.oneShotHint).toBeDefined()
  })

  it.each([
    ['its start where it holds the endpoint', false, {}],
    ['the last run where it overlaps others', true, { lastRunAt: now - 1000 }],
  ])('keeps the least interval from %s', (_name, overlapping, planned) => {
    const said = { nextRunAt: now + 1000, nextRunTtlMs: minute }
    const tryWith = (minIntervalMs: number) =>
      hintsOf(said, { definition: { minIntervalMs }, plan: planned, outcome: { overlapping } })
    expect(tryWith(minute + 1000).notes).toEqual([])
    expect(tryWith(minute + 1001)).toEqual({
      hints: {},
      notes: [
        'Kron-Next-Run: 2026-03-01T12:00:31Z comes to nothing: the minimum interval of 1m1.001s ' +
          'puts it off until after the hint expires, at 2026-03-01T12:01:30Z',
      ],
    })
  })
})

describe('an interval that a response asks for', () => {
  it('lasts an hour, and no longer than a hint may', () => {
    const expiryOf = (said: Partial<Steering>) => hintsOf(said).hints.intervalHint!.expiresAt - now
    expect(expiryOf({ intervalMs: 1000 })).toBe(hour)
    expect(expiryOf({ intervalMs: 1000, intervalTtlMs: 1e15 })).toBe(
      expiryOf({ intervalMs: 1000, intervalTtlMs: 1e14 }),
    )
  })

  it.each([
    ['a second', hour, 1000, 999, '1s'],
    ['the interval of the endpoint where that is shorter', 500, 500, 499, '500ms'],
  ])('is at least %s', (_name, ownMs, enough, tooShort, least) => {
    const definition = byInterval(ownMs)
    expect(hintsOf({ intervalMs: enough }, { definition }).hints.intervalHint).toBeDefined()
    const got = `${tooShort}ms`
    expect(hintsOf({ intervalMs: tooShort }, { definition })).toEqual({
      hints: {},
      notes: [`Kron-Interval: the interval must be at least ${least}, got ${got}`],
    })
  })
})
