import { zone } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { FieldParseError, InvalidCronExpressionError } from '../errors/index.js'
import { parseExpression } from './expression.js'

function errorOf(text: string): InvalidCronExpressionError {
  try {
    parseExpression(text)
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidCronExpressionError)
    return error as InvalidCronExpressionError
  }
  throw new Error(`${text} was accepted`)
}

describe('an expression', () => {
  it('matches its minutes in a zone', () => {
    const cron = parseExpression('30 6 * * 1')
    const monday = Date.parse('2026-03-02T10:00:00Z')
    expect(cron.matches(monday, zone('America/St_Johns'))).toBe(true)
    expect(cron.matches(monday, zone('UTC'))).toBe(false)
  })

  it('is POSIX and nothing more', () => {
    for (const text of ['*/5 * * * *', '@daily', '0 0 * * sun', '0 0 * * 7', '0 0 0 * * *']) {
      expect(errorOf(text).name).toBe('InvalidCronExpressionError')
    }
  })

  it('that is wrong in one field tells which, with a FieldParseError as the cause', () => {
    const error = errorOf('0 24 * * *')
    const { reason } = error.details
    expect(error.details).toEqual({ expression: '0 24 * * *', field: 'hour', reason })
    expect(error.message).toBe(`Invalid cron expression "0 24 * * *": hour field ${reason}`)
    expect(error.cause).toBeInstanceOf(FieldParseError)
    expect(error.cause).toMatchObject({ details: { fieldName: 'hour', fieldValue: '24' } })
    expect((error.cause as Error).message).toBe(`hour field ${reason}`)
  })

  it('is told the right field of, with blanks before and between the fields', () => {
    const { cause } = errorOf(' \t0   24 *  * *')
    expect(cause).toMatchObject({ details: { fieldName: 'hour', fieldValue: '24' } })
  })

  it('that is wrong as a whole has no field to blame', () => {
    const error = errorOf('* * * *')
    expect(error.details.field).toBe('expression')
    expect(error.cause).toBeUndefined()
  })

  it('is told whole, however long it is', () => {
    const text = `${'1,'.repeat(2000)}1 * * *`
    expect(errorOf(text).details.expression).toBe(text)
    expect(errorOf(text).message).toContain(text)
  })
})
