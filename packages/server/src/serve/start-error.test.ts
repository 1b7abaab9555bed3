import { describe, expect, it } from 'vitest'
import { StoreError } from '../store/index.js'
import { StartError, starting } from './start-error.js'

const refused = (address: string) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' })

describe('a part that can not start', () => {
  it('says what all addresses of a name answered', () => {
    const all = new AggregateError([refused('::1:5432'), refused('127.0.0.1:5432')], '')
    const cause = new StoreError('unavailable', 'PostgreSQL: ', 'no', { cause: all })
    const both = 'connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432'
    expect(new StartError('database', cause)).toMatchObject({ message: both, code: 'unavailable' })
    expect(new StartError('listener', all).message).toBe(both)
  })

  it('keeps the code of its cause, and the part that failed first', async () => {
    const inner = starting('database', () => Promise.reject(refused('127.0.0.1:1')))
    await expect(starting('listener', () => inner)).rejects.toMatchObject({
      part: 'database',
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED 127.0.0.1:1',
    })
  })
})
