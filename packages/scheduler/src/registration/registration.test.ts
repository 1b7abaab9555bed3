import { describe, expect, it } from 'vitest'
import { Duration } from '../duration/duration.js'
import {
  InvalidRegistrationError,
  NegativeRetryDelayError,
  RegistrationShapeError,
  ScheduleDuplicateTaskError,
} from '../errors/index.js'
import { checkRegistrations } from './registration.js'

const callback = async (): Promise<void> => undefined
const delay = Duration.minutes(1)
const anything = (): void => undefined

describe('registrations in order', () => {
  it('are answered by name, in their order, with the delay in milliseconds', () => {
    const checked = checkRegistrations(
      [
        ['b', '0 * * * *', callback, delay],
        ['a', '1 * * * *', callback, Duration.ms(0)],
      ],
      anything,
    )
    expect([...checked]).toEqual([
      ['b', { name: 'b', expression: '0 * * * *', callback, retryDelayMs: 60_000 }],
      ['a', { name: 'a', expression: '1 * * * *', callback, retryDelayMs: 0 }],
    ])
  })

  it.each([' ', 'a b', '__proto__', 'constructor', '\u{1f600}', 'a\nb', '%s'])(
    'may have the name %j',
    (name) => {
      const checked = checkRegistrations([[name, '0 * * * *', callback, delay]], anything)
      expect([...checked.keys()]).toEqual([name])
    },
  )

  it('may have names that differ by their case only', () => {
    const both = [
      ['a', '0 * * * *', callback, delay],
      ['A', '0 * * * *', callback, delay],
    ]
    expect(checkRegistrations(both, anything).size).toBe(2)
  })
})

describe('what is wrong', () => {
  it('with the shape comes before the name', () => {
    const check = () => checkRegistrations([['', '* * * * *', callback]], anything)
    expect(check).toThrow(RegistrationShapeError)
  })

  it('with the name comes before the expression', () => {
    const check = () => checkRegistrations([['', 'x', callback, delay]], refuse)
    expect(check).toThrow(InvalidRegistrationError)
  })

  it('with a name that was there before comes before the expression', () => {
    const a = ['a', 'x', callback, delay]
    const onlyOnce = (() => {
      let calls = 0
      return () => (++calls > 1 ? refuse() : undefined)
    })()
    expect(() => checkRegistrations([a, a], onlyOnce)).toThrow(ScheduleDuplicateTaskError)
  })

  it('with the expression comes before the delay', () => {
    const check = () => checkRegistrations([['a', 'x', callback, Duration.ms(-1)]], refuse)
    expect(check).toThrow('refused')
  })

  it('with the first registration comes before the second', () => {
    const negative = ['a', '* * * * *', callback, Duration.ms(-1)]
    expect(() => checkRegistrations([negative, []], anything)).toThrow(NegativeRetryDelayError)
  })

  it('with a delay is that it ends past all dates', () => {
    const long = (ms: number) => () =>
      checkRegistrations([['a', '* * * * *', callback, Duration.ms(ms)]], anything)
    expect(long(1e14)).not.toThrow()
    expect(long(8.64e15)).toThrow(InvalidRegistrationError)
    expect(long(Number.MAX_VALUE)).toThrow(InvalidRegistrationError)
  })
})

function refuse(): never {
  throw new Error('refused')
}
