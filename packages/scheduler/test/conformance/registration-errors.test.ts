import {
  CronCalculationError,
  Duration,
  InvalidRegistrationError,
  memoryStorage,
  NegativeRetryDelayError,
  RegistrationShapeError,
  RegistrationsNotArrayError,
  ScheduleDuplicateTaskError,
  type Scheduler,
  SchedulerError,
} from '@kron/scheduler'
import { Duration as LuxonDuration } from 'luxon'
import { describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { rejectionOf } from './rejection.js'
import { changed, dumpOf } from './stored.js'

type Initialize = (registrations: unknown) => Promise<void>

const callback = async (): Promise<void> => undefined
const delay = Duration.minutes(5)
const good = ['good', '0 * * * *', callback, delay]

/** What `initialize` answers, on a scheduler that nobody has used. */
async function refusalOf(registrations: unknown): Promise<SchedulerError> {
  const scheduler = new World('2026-03-02T10:00:00Z').scheduler()
  return await rejectionOf((scheduler.initialize as Initialize)(registrations))
}

describe('registrations that are no array', () => {
  it.each([undefined, null, 'a', 7, {}, new Map(), new Set([good]), { length: 0 }, () => [good]])(
    '%o are refused as RegistrationsNotArrayError',
    async (registrations) => {
      const error = await refusalOf(registrations)
      expect(error).toBeInstanceOf(RegistrationsNotArrayError)
      expect(error.name).toBe('RegistrationsNotArrayError')
      expect(error.message).toBe('Registrations must be an array')
      expect(error.details).toBeUndefined()
    },
  )
})

describe('a registration of the wrong shape', () => {
  const shapes: [shape: string, received: unknown][] = [
    ['no array', { name: 'a', expression: '* * * * *', callback, delay }],
    ['nothing', undefined],
    ['null', null],
    ['text', 'a * * * * *'],
    ['an empty array', []],
    ['too short', ['a', '* * * * *', callback]],
    ['too long', ['a', '* * * * *', callback, delay, 1]],
    ['a name that is a number', [1, '* * * * *', callback, delay]],
    ['a name that is left out', [undefined, '* * * * *', callback, delay]],
    ['an expression that is no text', ['a', 5, callback, delay]],
    ['an expression in an object', ['a', new String('* * * * *'), callback, delay]],
    ['a callback that is a promise', ['a', '* * * * *', callback(), delay]],
    ['a callback that is text', ['a', '* * * * *', 'callback', delay]],
    ['a callback that is left out', ['a', '* * * * *', null, delay]],
    ['a delay that is a number', ['a', '* * * * *', callback, 5000]],
    ['a delay that is text', ['a', '* * * * *', callback, '5m']],
    ['a delay that is left out', ['a', '* * * * *', callback, undefined]],
    ['a delay of another kind', ['a', '* * * * *', callback, { milliseconds: 5 }]],
    ['a delay that tells no number', ['a', '* * * * *', callback, { toMillis: () => '5' }]],
    ['a delay that throws', ['a', '* * * * *', callback, { total: thrower }]],
  ]
  it.each(shapes)('%s is refused as RegistrationShapeError', async (_shape, received) => {
    const error = await refusalOf([good, received])
    expect(error).toBeInstanceOf(RegistrationShapeError)
    expect(error.name).toBe('RegistrationShapeError')
    expect(error.message).toBe(
      'Invalid registration shape: expected [string, string, function, Duration]',
    )
    expect(error.details).toEqual({ registrationIndex: 1, received })
  })

  const complaints: [received: unknown, place: number | null, complaint: string][] = [
    [5, null, 'it must be a tuple of four, got a number'],
    [['a', '* * * * *', callback], null, 'it must be a tuple of four, got an array of 3'],
    [[1, 2, 3, 4], 1, 'place 1 (name) must be a string, got a number'],
    [['a', null, callback, delay], 2, 'place 2 (cron expression) must be a string, got null'],
    [['a', '* * * * *', {}, delay], 3, 'place 3 (callback) must be a function, got an object'],
    [
      ['a', '* * * * *', callback(), delay],
      3,
      'place 3 (callback) must be a function, got a promise (was the function called?)',
    ],
    [
      ['a', '* * * * *', callback, 5000],
      4,
      'place 4 (retry delay) must be a Duration, got a number',
    ],
    [
      ['a', '* * * * *', callback, [5]],
      4,
      'place 4 (retry delay) must be a Duration, got an array',
    ],
  ]
  it.each(complaints)(
    '%o names the place that is wrong, %i',
    async (received, place, complaint) => {
      const told: string[] = []
      const logger = { info: (sentence: string) => void told.push(sentence) }
      const scheduler = new World('2026-03-02T10:00:00Z', { logger }).scheduler()
      const refused = (scheduler.initialize as Initialize)([good, received])
      const error = await rejectionOf<RegistrationShapeError>(refused)
      expect(error.place).toBe(place)
      expect(error.cause).toEqual(new TypeError(`registration 1: ${complaint}`))
      expect(told).toEqual([
        `could not be initialized: ${error.message}: registration 1: ${complaint}`,
      ])
    },
  )

  it('is refused where an array has a hole', async () => {
    const error = await refusalOf(new Array(1))
    expect(error.details).toEqual({ registrationIndex: 0, received: undefined })
  })
})

describe('a registration with invalid data', () => {
  const invalid: [what: string, registration: unknown[], field: string, value: unknown][] = [
    ['an empty name', ['', '* * * * *', callback, delay], 'name', ''],
    ['a name of half a character', ['\ud800', '* * * * *', callback, delay], 'name', '\ud800'],
    [
      'a delay that is no number',
      ['a', '* * * * *', callback, LuxonDuration.invalid('unknown')],
      'retryDelay',
      Number.NaN,
    ],
    [
      'an endless delay',
      ['a', '* * * * *', callback, { toMillis: () => Number.POSITIVE_INFINITY }],
      'retryDelay',
      Number.POSITIVE_INFINITY,
    ],
  ]
  it.each(invalid)(
    '%s is refused as InvalidRegistrationError',
    async (_what, one, field, value) => {
      const error = await refusalOf([good, one])
      expect(error).toBeInstanceOf(InvalidRegistrationError)
      expect(error.name).toBe('InvalidRegistrationError')
      const { reason } = (error as InvalidRegistrationError).details
      expect(error.details).toEqual({ field, value, reason })
      expect(reason).toMatch(/^must /)
      expect(error.message).toBe(`Invalid registration: ${field} ${reason}`)
    },
  )

  it('a name twice is refused as ScheduleDuplicateTaskError', async () => {
    const error = await refusalOf([good, ['b', '1 * * * *', callback, delay], [...good]])
    expect(error).toBeInstanceOf(ScheduleDuplicateTaskError)
    expect(error.name).toBe('ScheduleDuplicateTaskError')
    expect(error.message).toBe('Task with name "good" is already scheduled')
    expect(error.details).toEqual({ taskName: 'good' })
  })

  it.each([
    [Duration.ms(-1), -1],
    [Duration.parse('-2s'), -2000],
    [LuxonDuration.fromMillis(-0.5), -0.5],
    [Duration.hours(-1e300), -3.6e306],
  ])('a delay of %o is refused as NegativeRetryDelayError', async (negative, retryDelayMs) => {
    const error = await refusalOf([['a', '* * * * *', callback, negative]])
    expect(error).toBeInstanceOf(NegativeRetryDelayError)
    expect(error.name).toBe('NegativeRetryDelayError')
    expect(error.message).toBe('Retry delay must be non-negative')
    expect(error.details).toEqual({ retryDelayMs })
  })

  async function* tick(): AsyncGenerator<number> {
    yield 1
  }
  const generators: [what: string, generator: unknown][] = [
    [
      'function*',
      function* () {
        yield 1
      },
    ],
    ['async function*', tick],
    ['a bound function*', tick.bind(null)],
  ]
  it.each(generators)('%s as a callback is refused: calling it runs nothing', async (_, one) => {
    const error = await refusalOf([good, ['a', '* * * * *', one, delay]])
    expect(error).toBeInstanceOf(InvalidRegistrationError)
    expect(error.details).toMatchObject({ field: 'callback', value: one })
    expect(error.message).toMatch(
      /^Invalid registration: callback must not be a generator function/,
    )
  })

  it.each(['0 0 30 2 *', '0 0 31 4,6,9,11 *', '* * 30-31 2 *'])(
    '%s, which no date matches, is refused as CronCalculationError',
    async (expression) => {
      const error = await refusalOf([['a', expression, callback, delay]])
      expect(error).toBeInstanceOf(CronCalculationError)
      expect(error.name).toBe('CronCalculationError')
      const { cause } = (error as CronCalculationError).details
      expect(cause).toBeInstanceOf(Error)
      expect(error.message).toBe(`Failed to calculate next occurrence: ${cause.message}`)
      expect(error.details).toEqual({ expression, currentTime: '2026-03-02T10:00:00.000Z', cause })
    },
  )
})

describe('a refusal', () => {
  const bad: [what: string, registrations: unknown][] = [
    ['no array', 5],
    ['the shape', [good, []]],
    ['the name', [good, ['', '* * * * *', callback, delay]]],
    ['a duplicate', [good, good]],
    ['the expression', [good, ['a', 'x', callback, delay]]],
    ['an impossible date', [good, ['a', '0 0 30 2 *', callback, delay]]],
    ['the delay', [good, ['a', '* * * * *', callback, Duration.ms(-1)]]],
  ]
  it.each(bad)('for %s comes before the storage is touched', async (_what, registrations) => {
    const touched: string[] = []
    const inner = memoryStorage()
    const storage = changed(inner, {
      open: () => {
        touched.push('open')
        return inner.open()
      },
    })
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const scheduler = world.scheduler()
    const refused = (scheduler.initialize as Initialize)(registrations)
    // The call has only just returned: whatever was found wrong was found synchronously.
    expect(world.eventTypes()).toEqual([
      'SchedulerInitializationStarted',
      'SchedulerInitializationFailed',
    ])
    await expect(refused).rejects.toBeInstanceOf(SchedulerError)
    expect(touched).toEqual([])
    expect((await dumpOf(storage)).tasks).toEqual([])
    await world.minutes(2)
    expect(world.attempts).toEqual([])
  })

  it.each(bad)('for %s is a rejection and never thrown out of the call', (_what, registrations) => {
    const scheduler: Scheduler = new World('2026-03-02T10:00:00Z').scheduler()
    const call = (): Promise<void> => (scheduler.initialize as Initialize)(registrations)
    expect(() => call().catch(() => undefined)).not.toThrow()
  })

  it('tells of the first registration that is wrong', async () => {
    const error = await refusalOf([good, ['a', '60 * * * *', callback, delay], [], good])
    expect(error.name).toBe('CronExpressionInvalidError')
  })

  it('keeps what was given out of its message', async () => {
    const secret = async (): Promise<string> => 'hunter2'
    const error = await refusalOf([['a', 'hunter2 * * * *', secret]])
    expect(error.message).not.toContain('hunter2')
    expect(JSON.stringify(error.message)).not.toContain('async')
  })
})

function thrower(): never {
  throw new Error('no')
}
