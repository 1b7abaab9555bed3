import { describe, expect, it } from 'vitest'
import { failure } from '../../test/failure.js'
import { errorCodes, KronError, ValidationError } from '../errors/index.js'
import type { EndpointPlan } from './endpoint-plan.js'
import { planNextRun } from './plan-next-run.js'

const now = Date.UTC(2026, 2, 1, 12, 0, 30)
const minute = 60_000
const createdAt = now - 86_400_000

const plan = (fields: Partial<EndpointPlan>) =>
  planNextRun({ createdAt, lastRunAt: now, baselineIntervalMs: 5 * minute, ...fields }, now)

const oneShot = (at: number, expires = now + 1) => ({
  aiHintNextRunAt: at,
  aiHintNextRunExpiresAt: expires,
})
const interval = (ms: number, expires = now + 1) => ({
  aiHintIntervalMs: ms,
  aiHintIntervalExpiresAt: expires,
})

describe('bad input', () => {
  it.each([
    ['minIntervalMs', { minIntervalMs: 2, maxIntervalMs: 1 }],
    ['baselineCron', { baselineIntervalMs: null }],
    ['baselineCron', { baselineCron: '* * * * *' }],
    ['baselineIntervalMs', { baselineIntervalMs: 0 }],
    ['baselineIntervalMs', { baselineIntervalMs: -1 }],
    ['baselineIntervalMs', { baselineIntervalMs: 0.5 }],
    ['baselineIntervalMs', { baselineIntervalMs: '5' as never }],
    ['aiHintIntervalMs', interval(0)],
    ['minIntervalMs', { minIntervalMs: -1 }],
    ['maxIntervalMs', { maxIntervalMs: Number.NaN }],
    ['jitterMs', { jitterMs: -1 }],
    ['pausedUntil', { pausedUntil: Number.NaN }],
    ['aiHintNextRunAt', oneShot(1.5)],
    ['aiHintNextRunExpiresAt', oneShot(1, Number.POSITIVE_INFINITY)],
    ['aiHintIntervalExpiresAt', interval(1, 0.1)],
    ['lastRunAt', { lastRunAt: 'yesterday' as never }],
    ['createdAt', { createdAt: undefined as never }],
  ] as const)('names the field %s', (field, fields) => {
    const error = failure(() => plan(fields as Partial<EndpointPlan>))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error.details.field).toBe(field)
    expect(error.details.allowed).toMatch(/\w/)
    expect(error.message).toContain(field)
    expect(Object.keys(errorCodes)).toContain(error.code)
  })

  it.each([
    [{ minIntervalMs: 2, maxIntervalMs: 1 }, 'minIntervalMs 2 is greater than maxIntervalMs 1'],
    [
      { baselineIntervalMs: null },
      'an endpoint has exactly one baseline (baselineCron or baselineIntervalMs), got neither',
    ],
    [
      { baselineCron: '* * * * *' },
      'an endpoint has exactly one baseline (baselineCron or baselineIntervalMs), got both',
    ],
    [
      { baselineIntervalMs: 0 },
      'baselineIntervalMs must be a whole number of milliseconds, at least 1, got 0',
    ],
    [{ jitterMs: -1 }, 'jitterMs must be a whole number of milliseconds, at least 0, got -1'],
  ])('says what is wrong with %j', (fields, message) => {
    expect(() => plan(fields as Partial<EndpointPlan>)).toThrow(message)
  })

  const longest = 8.64e15 - now
  it.each([
    ['baselineIntervalMs', { baselineIntervalMs: longest + 1 }],
    ['baselineIntervalMs', { baselineIntervalMs: Number.MAX_SAFE_INTEGER }],
    ['aiHintIntervalMs', interval(longest + 1)],
    ['minIntervalMs', { minIntervalMs: longest + 1 }],
    ['maxIntervalMs', { maxIntervalMs: longest + 1 }],
  ] as const)('is a %s that ends when there are no dates any more: %j', (field, fields) => {
    expect(failure(() => plan(fields))).toMatchObject({
      name: 'ValidationError',
      code: 'KRON_PLAN_INVALID',
      details: {
        field,
        value: Object.values(fields)[0],
        allowed: `a whole number of milliseconds, at most ${longest}`,
      },
    })
  })

  it('is jitter beyond the last date, which an interval may come to', () => {
    const latest = { baselineIntervalMs: longest - 10, identity: 'a' }
    expect(plan({ ...latest, jitterMs: 10 }).nextRunAt).toBeLessThanOrEqual(8.64e15)
    expect(plan({ baselineIntervalMs: longest }).nextRunAt).toBe(8.64e15)
    expect(failure(() => plan({ ...latest, jitterMs: 11 })).details).toEqual({
      field: 'jitterMs',
      value: 11,
      allowed: 'a whole number of milliseconds, at most 10',
    })
  })

  it.each([
    [
      { createdAt, baselineCron: '0 * * * * @win(after,1h)' },
      'identity is required: it seeds a window',
    ],
    [{ createdAt, baselineIntervalMs: 1, jitterMs: 1 }, 'identity is required: it seeds jitter'],
  ])('asks for the identity of %j', (endpoint, message) => {
    expect(failure(() => planNextRun(endpoint, now))).toMatchObject({
      name: 'ConfigurationError',
      code: 'KRON_FIELD_MISSING',
      message,
      details: { field: 'identity', allowed: 'a non-empty identity' },
    })
  })

  it.each([
    [null],
    [undefined],
    [7],
    [{ createdAt, baselineCron: 'nonsense' }],
    [{ createdAt, baselineCron: 7 }],
    [{ createdAt, baselineCron: {} }],
    [{ createdAt, baselineCron: '* * * * *', timezone: 'Mars/Olympus' }],
    [{ createdAt, baselineCron: '0 0 31 2 *' }],
  ])('is a typed error for %j', (endpoint) => {
    expect(() => planNextRun(endpoint as never, now)).toThrow(KronError)
  })

  it('is a typed error for a broken now', () => {
    const endpoint = { createdAt, baselineIntervalMs: minute }
    expect(() => planNextRun(endpoint, Number.NaN)).toThrow(/^now must be/)
  })

  it('names an endpoint that is none', () => {
    expect(failure(() => planNextRun(7 as never, now))).toMatchObject({
      code: 'KRON_FIELD_INVALID',
      message: 'endpoint must be an object, got 7',
      details: { field: 'endpoint', allowed: 'an object' },
    })
  })
})
