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
})
