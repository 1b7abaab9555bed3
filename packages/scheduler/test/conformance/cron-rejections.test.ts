import {
  CronExpressionInvalidError,
  Duration,
  FieldParseError,
  InvalidCronExpressionError,
} from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { rejectionOf } from './rejection.js'
import { dumpOf } from './stored.js'

type Row = readonly [expression: string, field: string]

const rules: Readonly<Record<string, readonly Row[]>> = {
  'not exactly five fields': [
    ['', 'expression'],
    [' ', 'expression'],
    ['\t', 'expression'],
    ['*', 'expression'],
    ['* * * *', 'expression'],
    ['0 0 1 1', 'expression'],
    ['* * * * * *', 'expression'],
    ['0 0 0 * * *', 'expression'],
    ['0 0 1 1 * 2030', 'expression'],
    ['*****', 'expression'],
  ],
  'something else than spaces and tabs between fields': [
    ['0\u00a00 * * *', 'expression'],
    ['0 0 * *\n*', 'expression'],
    ['0 0 * * *\n', 'weekday'],
    ['\n0 0 * * *', 'minute'],
    ['0 0 * * *\r', 'weekday'],
    ['0 0\u2003 * * *', 'hour'],
    ['0 0 * * *\u00a0', 'weekday'],
    ['0 0 * * * \ufeff', 'expression'],
    ['0 0\v* * *', 'expression'],
  ],
  'a step': [
    ['*/15 * * * *', 'minute'],
    ['0-30/5 * * * *', 'minute'],
    ['5/10 * * * *', 'minute'],
    ['0 */2 * * *', 'hour'],
    ['0 0 */3 * *', 'day'],
    ['0 0 1-31/2 * *', 'day'],
    ['0 0 * */6 *', 'month'],
    ['0 0 * * */2', 'weekday'],
    ['*/1 * * * *', 'minute'],
    ['/5 * * * *', 'minute'],
  ],
  'a name': [
    ['0 0 * * mon', 'weekday'],
    ['0 0 * * MON', 'weekday'],
    ['0 0 * * sunday', 'weekday'],
    ['0 0 * * mon-fri', 'weekday'],
    ['0 0 * * 1,tue', 'weekday'],
    ['0 0 * jan *', 'month'],
    ['0 0 * JAN-MAR *', 'month'],
    ['0 0 * december *', 'month'],
    ['0 noon * * *', 'hour'],
    ['x * * * *', 'minute'],
  ],
  'a macro': [
    ['@daily', 'expression'],
    ['@hourly', 'expression'],
    ['@weekly', 'expression'],
    ['@monthly', 'expression'],
    ['@yearly', 'expression'],
    ['@annually', 'expression'],
    ['@midnight', 'expression'],
    ['@reboot', 'expression'],
    [' @daily ', 'expression'],
    ['@DAILY', 'expression'],
  ],
  'a token of Quartz': [
    ['0 0 ? * *', 'day'],
    ['0 0 * * ?', 'weekday'],
    ['0 0 L * *', 'day'],
    ['0 0 * * L', 'weekday'],
    ['0 0 * * 5L', 'weekday'],
    ['0 0 15W * *', 'day'],
    ['0 0 LW * *', 'day'],
    ['0 0 W * *', 'day'],
    ['0 0 * * 5#3', 'weekday'],
    ['0 0 L-3 * *', 'day'],
  ],
  'a weekday of 7': [
    ['0 0 * * 7', 'weekday'],
    ['0 0 * * 1-7', 'weekday'],
    ['0 0 * * 0,7', 'weekday'],
    ['0 0 * * 5-7', 'weekday'],
  ],
  'a range that wraps around': [
    ['50-10 * * * *', 'minute'],
    ['0 22-6 * * *', 'hour'],
    ['0 0 28-3 * *', 'day'],
    ['0 0 * 11-2 *', 'month'],
    ['0 0 * * 5-1', 'weekday'],
    ['0 0 * * 6-0', 'weekday'],
    ['1,9-8 * * * *', 'minute'],
  ],
  'a value out of range': [
    ['60 * * * *', 'minute'],
    ['0-60 * * * *', 'minute'],
    ['0,99 * * * *', 'minute'],
    ['0 24 * * *', 'hour'],
    ['0 0 0 * *', 'day'],
    ['0 0 32 * *', 'day'],
    ['0 0 0-5 * *', 'day'],
    ['0 0 * 0 *', 'month'],
    ['0 0 * 13 *', 'month'],
    ['0 0 * * 8', 'weekday'],
    ['99999999999999999999 * * * *', 'minute'],
  ],
  'a number that is not decimal': [
    ['1e1 * * * *', 'minute'],
    ['0x10 * * * *', 'minute'],
    ['+5 * * * *', 'minute'],
    ['-5 * * * *', 'minute'],
    ['0 1.5 * * *', 'hour'],
    ['0 0 * * -1', 'weekday'],
    ['0b1 * * * *', 'minute'],
    ['0o7 * * * *', 'minute'],
    ['1_0 * * * *', 'minute'],
    ['\u0665 * * * *', 'minute'],
    ['\uff15 * * * *', 'minute'],
    ['NaN * * * *', 'minute'],
    ['Infinity * * * *', 'minute'],
  ],
  'what the grammar does not have': [
    ['*,5 * * * *', 'minute'],
    ['5,* * * * *', 'minute'],
    ['** * * * *', 'minute'],
    ['*-5 * * * *', 'minute'],
    ['1, * * * *', 'minute'],
    [',1 * * * *', 'minute'],
    ['1,,2 * * * *', 'minute'],
    [', * * * *', 'minute'],
    ['1- * * * *', 'minute'],
    ['- * * * *', 'minute'],
    ['1-2-3 * * * *', 'minute'],
    ['1--2 * * * *', 'minute'],
    ['0 0 * * 1;2', 'weekday'],
    ['0 0 $(x) * *', 'day'],
    ['0 (1) * * *', 'hour'],
  ],
}

const rows = Object.values(rules).flat()

async function refusalOf(expression: string): Promise<CronExpressionInvalidError> {
  const world = new World('2026-03-02T10:00:00Z')
  const error = await rejectionOf<CronExpressionInvalidError>(
    world.scheduler().initialize([['a', expression, async () => undefined, Duration.ms(0)]]),
  )
  expect((await dumpOf(world.storage)).tasks).toEqual([])
  return error
}

describe('an invalid expression', () => {
  it('stands in the table in at least 80 forms', () => {
    expect(new Set(rows.map(([expression]) => expression)).size).toBeGreaterThanOrEqual(80)
  })

  describe.each(Object.entries(rules))('%s', (_rule, members) => {
    it.each(members)('is refused: %j, for its %s', async (expression, field) => {
      const error = await refusalOf(expression)
      expect(error).toBeInstanceOf(CronExpressionInvalidError)
      expect(error.name).toBe('CronExpressionInvalidError')
      const { reason, cause } = error.details
      expect(error.details).toEqual({ expression, field, reason, cause })
      expect(reason).not.toBe('')
      expect(error.message).toBe(
        `Invalid cron expression "${expression}": ${field} field ${reason}`,
      )
    })
  })

  it.each(rows)('%j has the error of the parser as its cause', async (expression, field) => {
    const { details, message } = await refusalOf(expression)
    expect(details.cause).toBeInstanceOf(InvalidCronExpressionError)
    expect(details.cause.name).toBe('InvalidCronExpressionError')
    expect(details.cause.message).toBe(message)
    const { reason } = details
    expect(details.cause.details).toEqual({ expression, field, reason })
  })
})

describe('an expression in another language', () => {
  it.each([
    ['*/5 * * * *', '0,5,10,15,20,25,30,35,40,45,50,55 instead of */5'],
    ['0 */6 * * *', '0,6,12,18 instead of */6'],
    ['0 0 * * 1-5/2', '1,3,5 instead of 1-5/2'],
    ['0 9 * * MON', '1 instead'],
    ['@daily', '0 0 * * * instead'],
  ])('%j is told with what to write: %s', async (expression, instead) => {
    const { message } = await refusalOf(expression)
    expect(message).toContain(`which this dialect does not allow: write ${instead}`)
  })
})

describe('one field that can not be read', () => {
  const fieldNames = ['minute', 'hour', 'day', 'month', 'weekday']
  const ofFields = rows.filter(([, field]) => field !== 'expression')

  it.each(ofFields)('in %j is told as a FieldParseError', async (expression, fieldName) => {
    const { cause } = (await refusalOf(expression)).details
    const error = cause.cause as FieldParseError
    expect(error).toBeInstanceOf(FieldParseError)
    expect(error.name).toBe('FieldParseError')
    expect(error.message).toBe(`${fieldName} field ${cause.details.reason}`)
    expect(error.details.fieldName).toBe(fieldName)
  })

  it.each(['*/15 * * * *', '1,60 * * * *', '0 0 1,32,5 * *', '0 0 * jan,feb *', '0 0 * * 1-5,7'])(
    'in %j is told with the whole text of the field',
    async (expression) => {
      const { cause, field } = (await refusalOf(expression)).details
      const fieldValue = expression.split(' ')[fieldNames.indexOf(field)]
      expect((cause.cause as FieldParseError).details).toEqual({ fieldValue, fieldName: field })
    },
  )
})
