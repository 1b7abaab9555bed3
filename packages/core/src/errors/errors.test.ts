import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ConfigurationError,
  ConstraintError,
  ExecutionError,
  errorCodes,
  IncompatibleStateError,
  InvalidCronExpressionError,
  KronError,
  nearest,
  PersistenceError,
  quote,
  quotePath,
  SchedulingError,
  SystemError,
  suggestion,
  ValidationError,
} from './index.js'

const categories = {
  ConfigurationError,
  ValidationError,
  SchedulingError,
  ConstraintError,
  ExecutionError,
  PersistenceError,
  SystemError,
  IncompatibleStateError,
}

describe('an error', () => {
  it.each(Object.entries(categories))(
    'of category %s carries name, code, details',
    (name, type) => {
      const cause = new RangeError('cause')
      const details = { field: 'window', value: 5, allowed: 'text' }
      const error = new type('KRON_FIELD_INVALID', 'window must be text', details, { cause })
      expect(error).toBeInstanceOf(KronError)
      expect(error).toBeInstanceOf(Error)
      expect(error.name).toBe(name)
      expect(error.category).toBe(name)
      expect(error.code).toBe('KRON_FIELD_INVALID')
      expect(error.message).toBe('window must be text')
      expect(error.details).toEqual(details)
      expect(error.cause).toBe(cause)
      expect(error.stack).toContain(`${name}: window must be text`)
      expect(Object.keys(error)).not.toContain('name')
    },
  )

  it('about a cron expression names expression, field and reason', () => {
    const error = new InvalidCronExpressionError('60 * * * *', 'minute', 'is odd', '60', 0)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.name).toBe('InvalidCronExpressionError')
    expect(error.category).toBe('ConfigurationError')
    expect(error.message).toBe('Invalid cron expression "60 * * * *": minute field is odd')
    expect(error.details).toEqual({
      expression: '60 * * * *',
      field: 'minute',
      reason: 'is odd',
      value: '60',
      position: 0,
    })
  })

  it('has a code that reads as a constant and a meaning that reads as a sentence', () => {
    for (const [code, meaning] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^KRON_[A-Z]+(_[A-Z]+)*$/)
      expect(meaning).toMatch(/^[a-z].{10,}[^.]$/)
    }
    const meanings = Object.values(errorCodes)
    expect(new Set(meanings).size).toBe(meanings.length)
  })
})

describe('quote', () => {
  it.each([
    ['text', '"text"'],
    ['two\nlines\t"', '"two\\nlines\\t\\""'],
    ['\ud800', '"\\ud800"'],
    [5, '5'],
    [Number.NaN, 'NaN'],
    [5n, '5n'],
    [null, 'null'],
    [undefined, 'undefined'],
    [true, 'true'],
    [Symbol('x'), 'Symbol(x)'],
    [() => 5, 'a function'],
    [[1, 2], 'an array of 2'],
    [{ toString: 5 }, 'an object'],
    [Object.create(null), 'an object'],
  ])('shows a value as %s', (value, shown) => {
    expect(quote(value)).toBe(shown)
  })

  it('is short and on one line, whatever the value', () => {
    expect(quote('x'.repeat(10_000)).length).toBeLessThan(100)
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const shown = quote(value)
        expect(shown.length).toBeLessThan(100)
        expect(shown).not.toMatch(/[\n\r]/)
      }),
      { numRuns: 2000, seed: 80 },
    )
  })
})

describe('quotePath', () => {
  it('shows all of a path, on one line', () => {
    const path = `/srv/${'long/'.repeat(100)}two\nlines`
    expect(JSON.parse(quotePath(path))).toBe(path)
    expect(quotePath(path)).not.toContain('\n')
  })
})

describe('the nearest names', () => {
  const known = ['uniform', 'normal', 'skewEarly', 'skewLate', 'exponential']

  it.each([
    ['unifrom', ['uniform']],
    ['UNIFORM', ['uniform']],
    ['norml', ['normal']],
    ['skewerly', ['skewEarly']],
    ['exponentail', ['exponential']],
    ['poisson', []],
    ['x'.repeat(1000), []],
  ])('to %s are %j', (typed, expected) => {
    expect(nearest(typed, known)).toEqual(expected)
  })

  it('come in order of their distance, at most three of them', () => {
    expect(nearest('abcd', ['abxy', 'abcx', 'abcd', 'zzzz', 'abce'])).toEqual([
      'abcd',
      'abce',
      'abcx',
    ])
    expect(nearest('abcd', ['abce', 'abcx'], 1)).toEqual(['abce'])
  })

  it('count letters added, left out and changed', () => {
    expect(nearest('daily', ['dail', 'dailys', 'dairy', 'xdaily', 'weekly'], 9)).toEqual([
      'dail',
      'dailys',
      'dairy',
      'xdaily',
    ])
  })

  it('are proposed at the end of a message, or not at all', () => {
    expect(suggestion('norml', known)).toBe('; did you mean normal?')
    expect(suggestion('abcd', ['abce', 'abcx'])).toBe('; did you mean abce or abcx?')
    expect(suggestion('poisson', known)).toBe('')
  })
})
