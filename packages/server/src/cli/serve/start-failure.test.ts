import { join } from 'node:path'
import type { CommandFailure } from '@kron/command'
import { describe, expect, it } from 'vitest'
import { StartError, starting } from '../../start/start-error.js'
import { StoreError } from '../../store/index.js'
import { startFailure } from './start-failure.js'

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

describe('a database that can not be used', () => {
  const where = { database: join('data', 'kron.db'), folder: 'data', host: '', port: null }
  const hintFor = (code: string, given = where): string => {
    const cause = Object.assign(new Error('no'), { code })
    return (startFailure(new StartError('database', cause), given) as CommandFailure).more[0]!
  }

  it.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'ENOSPC'])('may lack room: %s', (code) => {
    expect(hintFor(code)).toBe('hint: check whether the disk has space left: df -h .')
    const elsewhere = { ...where, database: '/mnt/full/shop.db' }
    expect(hintFor(code, elsewhere)).toBe(
      'hint: check whether the disk has space left: df -h /mnt/full',
    )
  })

  it.each(['EACCES', 'SQLITE_CANTOPEN', 'SQLITE_READONLY'])('may be closed: %s', (code) => {
    expect(hintFor(code)).toBe('hint: --data must name a place that this user may write to')
  })

  it('may be of a later version', () => {
    expect(hintFor('incompatible')).toMatch(/^hint: a later version of Kron has used this database/)
  })
})
