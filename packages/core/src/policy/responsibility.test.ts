import { describe, expect, it } from 'vitest'
import { compileJob } from '../decision/index.js'
import type { JobDefinition } from '../definition/index.js'
import { responsibilityFor } from './responsibility.js'

const now = Date.UTC(2026, 2, 1, 12)
const yesterday = now - 86_400_000
const lastWeek = now - 7 * 86_400_000

describe('since when a host answers for a job', () => {
  it.each([
    ['as it was, while the timing stays', { timing: 'a', since: lastWeek }, yesterday, lastWeek],
    ['from now on when the timing has changed', { timing: 'b', since: lastWeek }, yesterday, now],
    ['the same when nothing was handled yet', { timing: 'b', since: lastWeek }, null, now],
    ['from the last handled period when the state is older than this', null, lastWeek, lastWeek],
    ['from when it was made when there is no state', null, null, yesterday],
  ])('%s', (_, known, handledThrough, since) => {
    const found = responsibilityFor('a', known, handledThrough, yesterday, now)
    expect(found).toEqual({ timing: 'a', since })
  })

  it('hands back what is known itself, so that nothing has to be written', () => {
    const known = { timing: 'a', since: lastWeek }
    expect(responsibilityFor('a', known, yesterday, now, now)).toBe(known)
  })
})

describe('the timing of a job', () => {
  const timing = (fields: Partial<JobDefinition> = {}) =>
    compileJob({ identity: 'x', schedule: '0 2 * * *', ...fields }).timing

  it.each([
    ['schedule', { schedule: '0 3 * * *' }],
    ['dialect', { dialect: 'extended' }],
    ['timezone', { timezone: 'Europe/Paris' }],
    ['window mode', { window: { mode: 'around', duration: '1h' } }],
    ['window duration', { window: { mode: 'after', duration: '2h' } }],
    ['distribution', { distribution: 'skewEarly' }],
    ['a parameter', { distribution: { name: 'skewEarly', params: { shape: 3 } } }],
    ['seed strategy', { seed: { strategy: 'daily' } }],
    ['salt', { seed: { salt: 'a' } }],
    ['only', { constraints: { only: ['dow=MON-FRI'] } }],
    ['avoid', { constraints: { avoid: ['dow=MON-FRI'] } }],
  ] as const)('changes with its %s', (_, fields) => {
    const base = { window: { mode: 'after', duration: '1h' } } as const
    expect(timing({ ...base, ...fields })).toMatch(/^[0-9a-f]{16}$/)
    expect(timing({ ...base, ...fields })).not.toBe(timing(base))
  })

  it.each([
    ['policy', { policy: { concurrency: 'allow', deadline: '1h', suspend: true, first: 'run' } }],
    ['identity', { identity: 'y' }],
    ['way of writing it', { schedule: ' 0  2 * * * ' }],
    ['defaults being spelt out', { distribution: 'uniform', seed: { strategy: 'stable' } }],
  ] as const)('does not change with its %s', (_, fields) => {
    expect(timing(fields)).toBe(timing())
  })
})
