import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { storeError } from './sqlite-error.js'

describe('an error of SQLite', () => {
  it.each([
    ['SQLITE_BUSY', 'unavailable'],
    ['SQLITE_BUSY_SNAPSHOT', 'unavailable'],
    ['SQLITE_LOCKED', 'unavailable'],
    ['SQLITE_FULL', 'unavailable'],
    ['SQLITE_IOERR_WRITE', 'unavailable'],
    ['SQLITE_CANTOPEN', 'unavailable'],
    ['SQLITE_READONLY', 'unavailable'],
    ['SQLITE_NOMEM', 'unavailable'],
    ['SQLITE_CONSTRAINT_UNIQUE', 'broken'],
    ['SQLITE_ERROR', 'broken'],
  ])('with the code %s leaves the store %s, and nothing done', (sqliteCode, code) => {
    const cause = new Database.SqliteError('why', sqliteCode)
    const expected = { name: 'StoreError', code, applied: 'no', message: 'SQLite: why', cause }
    expect(storeError(cause)).toMatchObject(expected)
  })

  it('is no other error, which stays what it is', () => {
    const error = new Error('of the work itself')
    expect(storeError(error)).toBe(error)
  })
})
