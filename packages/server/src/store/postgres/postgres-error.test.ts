import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { statementError } from './postgres-error.js'

const coded = (code: string): Error => Object.assign(new Error('as it says'), { code })

describe('an error of a statement', () => {
  it.each([
    ['Query read timeout'],
    ['Connection terminated unexpectedly'],
    ['Client has encountered a connection error and is not queryable'],
    ['Received unexpected rowDescription message from backend.'],
  ])('is about the connection when the database did not say it: %s', (message) => {
    const expected = { name: 'StoreError', code: 'unavailable', applied: 'unknown' }
    expect(statementError(new Error(message), 'unknown')).toMatchObject(expected)
  })

  it.each([
    ['EPIPE', 'unavailable', 'unknown'],
    ['ECONNRESET', 'unavailable', 'unknown'],
    ['ENETDOWN', 'unavailable', 'unknown'],
    ['ERR_SSL_BAD_RECORD_TYPE', 'unavailable', 'unknown'],
    ['08006', 'unavailable', 'unknown'],
    ['57P01', 'unavailable', 'unknown'],
    ['40P01', 'conflict', 'no'],
    ['57014', 'timeout', 'no'],
    ['23505', 'conflict', 'no'],
    ['23502', 'broken', 'no'],
  ])('of the code %s is %s, applied: %s', (code, kind, applied) => {
    const expected = { name: 'StoreError', code: kind, applied }
    expect(statementError(coded(code), 'unknown')).toMatchObject(expected)
  })

  it('is about the connection when the database spoke without a code', () => {
    const garbled = new pg.DatabaseError('received invalid response: 7e', 4, 'error')
    expect(statementError(garbled, 'no')).toMatchObject({ code: 'unavailable' })
  })

  it('stays what it is when the values can not be written', () => {
    const error = new RangeError('Invalid string length')
    expect(statementError(error, 'no')).toBe(error)
  })
})
