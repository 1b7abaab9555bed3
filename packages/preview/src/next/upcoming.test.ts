import { compileJob } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { upcoming } from './upcoming.js'

describe('upcoming periods', () => {
  it('does not call a period superseded that ends where the next one begins', () => {
    const job = compileJob({
      identity: 'a',
      schedule: '* * * * *',
      window: { mode: 'after', duration: '1m' },
    })
    const { periods } = upcoming(job, { from: 0, until: null, most: 1000 })
    expect(periods.some(({ nominal, chosen }) => chosen === nominal + 60_000)).toBe(true)
    expect(periods.filter(({ superseded }) => superseded)).toEqual([])
  })

  const show = (schedule: Parameters<typeof compileJob>[0], from: string, until: string | null) =>
    upcoming(compileJob(schedule), {
      from: Date.parse(from),
      until: until === null ? null : Date.parse(until),
      most: 2,
    }).periods.map(({ nominal, through, chosen }) =>
      [nominal, through, chosen].map((at) => at && new Date(at).toISOString().slice(5, 16)),
    )
  const office = { only: ['hours=9-17', 'dow=MON-FRI'] }
  const minutely = { identity: 'a', schedule: '* * * * *' }

  it('goes over a weekend that is not allowed, as one', () => {
    const rows = show({ ...minutely, constraints: office }, '2026-11-13T17:59:00Z', null)
    expect(rows).toEqual([
      ['11-13T17:59', '11-13T17:59', '11-13T17:59'],
      ['11-13T18:00', '11-16T08:59', null],
      ['11-16T09:00', '11-16T09:00', '11-16T09:00'],
    ])
  })

  it('ends a stretch where it was told to stop', () => {
    const constraints = { only: ['months=6'] }
    const rows = show({ ...minutely, constraints }, '2026-11-13T17:59:00Z', '2026-11-14T00:00:00Z')
    expect(rows).toEqual([['11-13T17:59', '11-13T23:59', null]])
  })

  it('says when nothing can run any more', () => {
    const constraints = { only: ['date=2026-11-13'] }
    const rows = show({ ...minutely, constraints }, '2026-11-13T23:59:00Z', null)
    expect(rows).toEqual([
      ['11-13T23:59', '11-13T23:59', '11-13T23:59'],
      ['11-14T00:00', null, null],
    ])
  })
})
