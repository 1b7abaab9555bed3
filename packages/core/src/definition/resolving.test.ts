import { describe, expect, it } from 'vitest'
import {
  limits,
  resolveDecisionRequest,
  resolveDistribution,
  resolveJobDefinition,
  resolvePolicy,
  resolveScheduleSpec,
  resolveWindow,
} from './index.js'

const hour = 3_600_000
const day = 24 * hour
const nominalTime = Date.parse('2026-03-01T02:00:00Z')
const defaults = {
  timezone: 'UTC',
  window: { mode: 'after', duration: 0 },
  distribution: { name: 'uniform', params: {} },
  seed: { strategy: 'stable', salt: '' },
  constraints: { only: [], avoid: [] },
}
const full = {
  identity: 'db/backup',
  schedule: ' 0   2 * * 1-5\t',
  dialect: 'extended',
  timezone: 'Europe/Berlin',
  window: { mode: 'center', duration: '3h' },
  distribution: { name: 'normal', params: { sigma: '10m', mu: 'end', sample: 'exact' } },
  seed: { strategy: 'weekly', salt: 'pepper' },
  constraints: { only: ['hours=18-20,8', 'dow=1-5'], avoid: 'date=2026-12-24; dom=1' },
  policy: { concurrency: 'replace', deadline: '90s', suspend: true, first: 'run' },
}

describe('resolving', () => {
  it('fills every default of a decision request', () => {
    const spec = resolveDecisionRequest({ identity: 'a', nominalTime })
    expect(spec).toEqual({ identity: 'a', nominalTime, ...defaults })
  })

  it('fills every default of a job', () => {
    expect(resolveJobDefinition({ identity: 'a', schedule: '0 2 * * *' })).toEqual({
      identity: 'a',
      schedule: '0 2 * * *',
      dialect: 'standard',
      ...defaults,
      policy: { concurrency: 'forbid', deadline: 0, suspend: false, first: 'wait' },
    })
  })

  const resolvedFull = {
    identity: 'db/backup',
    schedule: '0 2 * * 1-5',
    dialect: 'extended',
    timezone: 'Europe/Berlin',
    window: { mode: 'around', duration: 3 * hour },
    distribution: { name: 'normal', params: { mu: 'end', sigma: 600_000, sample: 'exact' } },
    seed: { strategy: 'weekly', salt: 'pepper' },
    constraints: { only: ['hours=8,18-20', 'dow=MON-FRI'], avoid: ['date=2026-12-24', 'dom=1'] },
    policy: { concurrency: 'replace', deadline: 90_000, suspend: true, first: 'run' },
  }
  it('makes everything canonical', () => {
    expect(resolveJobDefinition(full)).toEqual(resolvedFull)
  })

  it('resolves what it resolved to the same', () => {
    const once = resolveJobDefinition(full)
    expect(resolveJobDefinition(once)).toEqual(once)
    const { schedule, dialect, policy, ...decision } = full
    const request = resolveDecisionRequest({ ...decision, nominalTime })
    expect(resolveDecisionRequest(request)).toEqual(request)
    const { identity, ...rest } = resolvedFull
    expect(resolveScheduleSpec(once)).toEqual(rest)
    expect(resolveScheduleSpec(rest)).toEqual(rest)
  })

  it('gives frozen specifications, down to their lists', () => {
    const spec = resolveJobDefinition(full)
    const parts = [spec, spec.window, spec.distribution, spec.distribution.params, spec.seed]
    const more = [spec.constraints, spec.constraints.only, spec.constraints.avoid, spec.policy]
    expect([...parts, ...more].every((part) => Object.isFrozen(part))).toBe(true)
  })

  it('treats a field that is undefined as left out', () => {
    const holes = {
      identity: 'a',
      nominalTime,
      timezone: undefined,
      window: { mode: undefined, duration: undefined },
      distribution: { name: undefined, params: { sample: undefined } },
      seed: { strategy: undefined, salt: undefined },
      constraints: { only: undefined, avoid: undefined },
    }
    expect(resolveDecisionRequest(holes)).toEqual({ identity: 'a', nominalTime, ...defaults })
    expect(resolvePolicy({ suspend: undefined, deadline: undefined })).toEqual(resolvePolicy({}))
  })

  it('takes objects without a prototype', () => {
    const bare = Object.assign(Object.create(null), { identity: 'a', schedule: '@daily' })
    expect(resolveJobDefinition(bare)).toMatchObject({ identity: 'a', schedule: '@daily' })
  })

  it('reads each field once', () => {
    let reads = 0
    const input = {
      get identity() {
        reads++
        return 'a'
      },
      nominalTime,
    }
    expect(resolveDecisionRequest(input).identity).toBe('a')
    expect(reads).toBe(1)
  })

  it('takes a newline and 1,024 bytes of an identity', () => {
    const identities = ['a\nb', 'x'.repeat(1024), '\u00e9'.repeat(512), '\u{1f570}'.repeat(256)]
    for (const identity of identities) {
      expect(resolveDecisionRequest({ identity, nominalTime }).identity).toBe(identity)
    }
  })

  it('takes windows, deadlines and sigma up to 366 days', () => {
    expect(limits).toMatchObject({ windowMs: 366 * day, deadlineMs: 366 * day, clauses: 64 })
    expect(resolveWindow({ duration: '8784h' }).duration).toBe(366 * day)
    expect(resolvePolicy({ deadline: 366 * day }).deadline).toBe(366 * day)
    expect(resolveDistribution({ name: 'normal', params: { sigma: '8784h' } }).params).toEqual({
      sigma: 366 * day,
    })
  })
})

describe('distributions', () => {
  const good: [input: unknown, name: string, params: object][] = [
    [undefined, 'uniform', {}],
    ['skewLate', 'skewLate', {}],
    [{}, 'uniform', {}],
    [{ params: { sample: 'exact' } }, 'uniform', { sample: 'exact' }],
    [{ name: 'uniform', params: { sample: 'rejection' } }, 'uniform', {}],
    [{ name: 'skewEarly', params: { shape: 2 } }, 'skewEarly', { shape: 2 }],
    [{ name: 'skewEarly', params: { shape: '2.50' } }, 'skewEarly', { shape: 2.5 }],
    [{ name: 'skewEarly', params: { shape: '.5e1' } }, 'skewEarly', { shape: 5 }],
    [{ name: 'skewLate', params: { shape: '+1000' } }, 'skewLate', { shape: 1000 }],
    [{ name: 'skewLate', params: { shape: 5e-324 } }, 'skewLate', { shape: 5e-324 }],
    [
      { name: 'normal', params: { sigma: 1.5, mu: 'nominal' } },
      'normal',
      { sigma: 1.5, mu: 'nominal' },
    ],
    [
      { name: 'exponential', params: { dir: 'late', lambda: '1.' } },
      'exponential',
      { lambda: 1, dir: 'late' },
    ],
  ]
  it.each(good)('reads %j', (input, name, params) => {
    expect(resolveDistribution(input)).toEqual({ name, params })
  })

  it('keeps parameters in one order, however they were given', () => {
    const params = { sample: 'exact', sigma: '1s', mu: 'mid' }
    const spec = resolveDistribution({ name: 'normal', params })
    expect(Object.keys(spec.params)).toEqual(['mu', 'sigma', 'sample'])
  })
})
