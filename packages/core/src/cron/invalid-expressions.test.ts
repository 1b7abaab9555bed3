import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invalidGroups } from '../../test/invalid-expressions.js'
import { ConfigurationError, InvalidCronExpressionError, KronError } from '../errors/index.js'
import { Cron } from './cron.js'
import type { Dialect } from './dialect.js'
import { parseCron } from './parse.js'

const dialects: readonly Dialect[] = ['posix', 'standard', 'extended']
const fieldNames = ['second', 'minute', 'hour', 'day', 'month', 'weekday']

function errorOf(expression: unknown, dialect?: Dialect): InvalidCronExpressionError {
  try {
    parseCron(expression as string, dialect)
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidCronExpressionError)
    return error as InvalidCronExpressionError
  }
  throw new Error(`${JSON.stringify(expression)} was accepted as ${dialect}`)
}

/** Where the named field begins and ends in the text. */
function boundsOf(expression: string, field: string): [start: number, end: number] {
  const found = [...expression.matchAll(/[^ \t]+/g)]
  const names = found.length === 6 ? fieldNames : fieldNames.slice(1)
  const { index, 0: text } = found[names.indexOf(field)]!
  return [index, index + text.length]
}

const rows = invalidGroups.flatMap(({ rule, dialects, field, expressions }) =>
  dialects.flatMap((dialect) =>
    expressions.map((expression) => ({ rule, dialect, field, expression })),
  ),
)

describe('an invalid expression', () => {
  it('stands in the table in at least 300 forms', () => {
    expect(new Set(rows.map((row) => row.expression)).size).toBeGreaterThanOrEqual(300)
  })

  it.each(rows)('$rule: $expression in $dialect', ({ dialect, field, expression }) => {
    const error = errorOf(expression, dialect)
    expect(error.field).toBe(field)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error).toBeInstanceOf(KronError)
    expect(error.name).toBe('InvalidCronExpressionError')
    expect(error.category).toBe('ConfigurationError')
    expect(error.code).toBe('KRON_CRON_INVALID')
    expect(expression.startsWith(error.expression)).toBe(true)
    expect(error.message).toBe(
      `Invalid cron expression "${error.expression}": ${field} field ${error.reason}`,
    )
    const { position, ...details } = error.details
    const [start, end] =
      field === 'expression' ? [0, expression.length] : boundsOf(expression, field)
    expect(position).toBeGreaterThanOrEqual(start)
    expect(position).toBeLessThanOrEqual(end)
    expect(details).toMatchObject({ expression: error.expression, field, reason: error.reason })
    expect(expression.slice(position, end).startsWith(details['value'] as string)).toBe(true)
  })

  it('is named whole unless it is very long', () => {
    expect(errorOf('60 * * * *').expression).toBe('60 * * * *')
    expect(errorOf('').message).toBe(
      'Invalid cron expression "": expression field is empty, expected exactly 5 fields',
    )
    expect(errorOf('x'.repeat(5000)).message.length).toBeLessThan(300)
  })
})

describe('the reason', () => {
  const known = '@hourly @daily @midnight @weekly @monthly @yearly @annually'
  const reasons: [expression: string, dialect: Dialect, position: number, sentence: string][] = [
    ['', 'posix', 0, 'expression field is empty, expected exactly 5 fields'],
    ['* *', 'standard', 3, 'expression field must have exactly 5 fields, got 2'],
    ['* * * * * 1', 'standard', 10, 'expression field must have exactly 5 fields, got 6'],
    ['* * * *', 'extended', 7, 'expression field must have 5 or 6 fields, got 4'],
    ['* * * * * * x', 'extended', 12, 'expression field must have 5 or 6 fields, got 7'],
    [
      '*/15 * * * *',
      'posix',
      1,
      'minute field contains a step ("/"), which this dialect does not allow: ' +
        'write 0,15,30,45 instead of */15',
    ],
    [
      '0 8-18/2,5 * * *',
      'posix',
      6,
      'hour field contains a step ("/"), which this dialect does not allow: ' +
        'write 8,10,12,14,16,18 instead of 8-18/2',
    ],
    [
      '0 0 1,*/10 * *',
      'posix',
      7,
      'day field contains a step ("/"), which this dialect does not allow: ' +
        'write 1,11,21,31 instead of */10',
    ],
    [
      '0 0 * */1 *',
      'posix',
      7,
      'month field contains a step ("/"), which this dialect does not allow: write * instead of */1',
    ],
    [
      '50/5 * * * *',
      'posix',
      2,
      'minute field contains a step ("/"), which this dialect does not allow: ' +
        'write 50,55 instead of 50/5',
    ],
    [
      '*/0 * * * *',
      'posix',
      1,
      'minute field contains a step ("/"), which this dialect does not allow',
    ],
    ['* */ * * *', 'standard', 3, 'hour field has a "/" without a number after it'],
    ['* */x * * *', 'standard', 3, 'hour field has a "/" without a number after it'],
    ['* */0 * * *', 'standard', 4, 'hour field has a step of 0 (a step is at least 1)'],
    [
      '5/5 * * * *',
      'standard',
      0,
      'minute field has a step after a single value (a step follows * or a range)',
    ],
    [
      '0 0 * * mon',
      'posix',
      8,
      'weekday field contains the name "mon", which this dialect does not allow: write 1 instead',
    ],
    ['0 0 * * sunday', 'posix', 8, 'weekday field contains "sunday" where a number is expected'],
    ['0 noon * * *', 'standard', 2, 'hour field contains "noon" where a number is expected'],
    [
      '0 0 * MON *',
      'standard',
      6,
      'month field contains the unknown name "MON" (names are JAN to DEC)',
    ],
    [
      '0 0 * * 1,WEDNESDAY',
      'extended',
      10,
      'weekday field contains the unknown name "WEDNESDAY" (names are SUN to SAT)',
    ],
    [
      '@daily',
      'posix',
      0,
      'expression field is the macro "@daily", which this dialect does not allow: ' +
        'write 0 0 * * * instead',
    ],
    [
      '@reboot',
      'posix',
      0,
      'expression field is the macro "@reboot", which this dialect does not allow',
    ],
    [' @x ', 'standard', 1, `expression field is the unknown macro "@x" (known are ${known})`],
    ['0 0 ? * *', 'posix', 4, 'day field contains the unexpected character "?"'],
    ['0 0 1\u00a0 * *', 'posix', 5, 'day field contains the unexpected character "\u00a0"'],
    ['0 0 \u{1f600} * *', 'posix', 4, 'day field contains the unexpected character "\u{1f600}"'],
    ['0 0 * * 7', 'posix', 8, 'weekday field has the value 7, outside of 0-6 (Sunday is 0)'],
    ['0 0 * * 5-8', 'standard', 10, 'weekday field has the value 8, outside of 0-6'],
    ['0 5,24 * * *', 'posix', 4, 'hour field has the value 24, outside of 0-23'],
    [
      '9,50-10 * * * *',
      'posix',
      2,
      'minute field has a range that runs backwards (50 is after 10)',
    ],
    [
      '0 0 * * FRI-MON',
      'standard',
      8,
      'weekday field has a range that runs backwards (5 is after 1)',
    ],
    ['* * * * 1-', 'posix', 8, 'weekday field has a range without an end'],
    ['1-,5 * * * *', 'posix', 0, 'minute field has a range without an end'],
    ['1,,2 * * * *', 'posix', 2, 'minute field has an empty list element'],
    ['* * * * 1,', 'posix', 10, 'weekday field has an empty list element'],
    ['5,* * * * *', 'posix', 2, 'minute field mixes * with something else (it stands alone)'],
    [
      '*-5 * * * *',
      'standard',
      0,
      'minute field mixes * with something else (it stands alone or takes a step)',
    ],
    ['* * 32W * *', 'extended', 4, 'day field contains "32W" (allowed are L, LW and 1W to 31W)'],
    [
      '* * * * L',
      'extended',
      8,
      'weekday field contains "L" (write 5L, FRIL, 2#1 or MON#1, for example)',
    ],
    ['* * * * 5#6', 'extended', 8, 'weekday field contains "5#6" (# takes 1 to 5)'],
  ]
  it.each(reasons)('of %j in %s points at %i: %s', (expression, dialect, position, sentence) => {
    const error = errorOf(expression, dialect)
    expect(error.message).toBe(`Invalid cron expression "${expression}": ${sentence}`)
    expect(error.details.position).toBe(position)
  })
})

describe('something that is not an expression at all', () => {
  const strange: unknown[] = [undefined, null, 5, Number.NaN, true, 5n, {}, [], ['*'], Symbol('x')]
  strange.push(() => '* * * * *', new Date(0), Object.create(null), new String('* * * * *'))

  it.each(strange.map((value) => [typeof value, value]))('of type %s is refused', (_, value) => {
    const error = errorOf(value)
    expect(error.field).toBe('expression')
    expect(error.reason).toBe('must be text')
  })

  it.each(['', 'POSIX', 'quartz', '__proto__', 'constructor', null, 5, {}, ['posix']])(
    'is read in no dialect called %j',
    (dialect) => {
      const read = () => parseCron('* * * * *', dialect as Dialect)
      expect(read).toThrow(ConfigurationError)
      expect(read).toThrow('dialect must be posix, standard or extended')
    },
  )

  it('is read in no dialect that can not even become text', () => {
    const dialect = Object.create(null) as Dialect
    expect(() => parseCron('* * * * *', dialect)).toThrow(ConfigurationError)
  })
})

describe('any text', () => {
  function isCronOrInvalid(text: string, dialect: Dialect): boolean {
    try {
      return parseCron(text, dialect) instanceof Cron
    } catch (error) {
      return error instanceof InvalidCronExpressionError
    }
  }
  const dialect = fc.constantFrom(...dialects)
  const syntax = [...'0123456789*,-/#?@LWlw \t', 'MON', 'jan', '5', '12', '*', ' ', ' * * * *']
  const lookalike = fc
    .array(fc.constantFrom(...syntax, '\u00a0', '\uff15', '\ud800', '\n'), { maxLength: 24 })
    .map((parts) => parts.join(''))
  const fiveFields = fc
    .array(
      fc.array(fc.constantFrom(...syntax.filter((part) => !/\s/.test(part))), { maxLength: 5 }),
      {
        minLength: 5,
        maxLength: 6,
      },
    )
    .map((fields) => fields.map((parts) => parts.join('') || '*').join(' '))

  it.each([
    ['of any characters', fc.string({ unit: 'binary' })],
    ['of any UTF-16 units', fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units))],
    ['of the characters of cron', lookalike],
    ['of five or six fields', fiveFields],
  ])('%s is a cron expression or an InvalidCronExpressionError', (_, text) => {
    fc.assert(
      fc.property(text, dialect, (expression, name) => isCronOrInvalid(expression, name)),
      { numRuns: 5000, seed: 4 },
    )
  })

  it('that is accepted finds a later match, an earlier match, or is impossible', () => {
    fc.assert(
      fc.property(fiveFields, dialect, fc.integer(), (expression, name, instant) => {
        if (!isValid(expression, name)) return
        const cron = parseCron(expression, name)
        const next = cron.next(instant)
        expect(next !== null).toBe(cron.possible)
        if (next === null) return
        expect(next).toBeGreaterThan(instant)
        expect(cron.matches(next)).toBe(true)
        expect(cron.previous(instant)).toBeLessThanOrEqual(instant)
      }),
      { numRuns: 20_000, seed: 4 },
    )
  })

  function isValid(expression: string, name: Dialect): boolean {
    try {
      parseCron(expression, name)
      return true
    } catch {
      return false
    }
  }
})
