import { InvalidCronExpressionError, PersistenceError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../testing/index.js'
import { type FailureContext, messageOf } from './failure.js'
import { createLog, type Log } from './index.js'

const time = '2026-03-01T02:32:20.000Z'

function logOf(lines: string[], format: 'text' | 'json' = 'json'): Log {
  return createLog({
    format,
    level: 'error',
    component: 'krond',
    clock: new VirtualClock(new Date(time)),
    write: (line) => void lines.push(line),
  })
}

function failure(error: unknown, context: FailureContext, fields: object = {}): unknown {
  const lines: string[] = []
  logOf(lines)
    .child({ ...fields })
    .failure(error, context)
  expect(lines).toHaveLength(1)
  return JSON.parse(lines[0]!)
}

describe('a failure', () => {
  const context = { identity: 'a:b', period_id: '2026-03-01T02:32:00Z', operation: 'write_state' }
  const error = new PersistenceError('KRON_PERSISTENCE', 'rename failed: no space', { field: 'f' })

  it('logs all that the error model demands, in its order', () => {
    const lines: string[] = []
    logOf(lines, 'text').failure(error, context)
    expect(lines).toEqual([
      `${time} level=error component=krond event=error identity=a:b ` +
        'period_id=2026-03-01T02:32:00Z error_type=PersistenceError operation=write_state ' +
        'message="rename failed: no space" code=KRON_PERSISTENCE',
    ])
  })

  it('has the category, not the class, as its type', () => {
    const refined = new InvalidCronExpressionError('x', 'minute', 'is not valid', 'x', 0)
    expect(failure(refined, context)).toMatchObject({
      error_type: 'ConfigurationError',
      code: 'KRON_CRON_INVALID',
    })
  })

  it('has the name and code of an error that is not of Kron', () => {
    const foreign = Object.assign(new TypeError('bad'), { code: 'ENOENT' })
    expect(failure(foreign, context)).toMatchObject({
      error_type: 'TypeError',
      message: 'bad',
      code: 'ENOENT',
    })
    expect(failure(new TypeError('bad'), context)).not.toHaveProperty('code')
  })

  it('has a null identity and no period where they do not apply', () => {
    const line = failure(error, { operation: 'lock' })
    expect(line).toMatchObject({ identity: null, operation: 'lock' })
    expect(line).not.toHaveProperty('period_id')
  })

  it('takes identity and period from the details of the error, if nobody knows better', () => {
    const concern = { identity: 'x:y', period_id: '2026-03-01T02:00:00Z' }
    const known = new PersistenceError('KRON_PERSISTENCE', 'full', { field: 'f', ...concern })
    expect(failure(known, { operation: 'lock' }, { identity: 'of the log' })).toMatchObject(concern)
    expect(failure(known, context)).toMatchObject(context)
    const odd = new PersistenceError('KRON_PERSISTENCE', 'full', { field: 'f', identity: 7 })
    expect(failure(odd, { operation: 'lock' })).toMatchObject({ identity: null })
  })

  it('takes identity and period from the log that it is written to, but nothing else', () => {
    const fields = {
      identity: 'c:d',
      period_id: 'p',
      error_type: 'none',
      operation: 'rest',
      message: 'all well',
      code: 0,
      host: 'h',
    }
    expect(failure(new Error('bad'), { operation: 'lock' }, fields)).toEqual({
      time,
      level: 'error',
      component: 'krond',
      event: 'error',
      identity: 'c:d',
      period_id: 'p',
      error_type: 'Error',
      operation: 'lock',
      message: 'bad',
      host: 'h',
    })
    expect(failure(error, context, fields)).toMatchObject({ identity: 'a:b' })
  })

  it.each([
    ['text', 'string', 'text'],
    [null, 'null', 'null'],
    [undefined, 'undefined', 'undefined'],
    [7, 'number', '7'],
    [{ why: 'unknown' }, 'object', '{"why":"unknown"}'],
  ])('may be %s, thrown as it is', (thrown, error_type, message) => {
    expect(failure(thrown, context)).toMatchObject({ error_type, message })
  })

  it('has a type, an operation and a message even if they were left out', () => {
    const bare = Object.assign(new Error('x'), { name: '', message: undefined })
    expect(failure(bare, {} as FailureContext)).toMatchObject({
      error_type: 'Error',
      operation: 'unknown',
      message: '',
    })
  })

  it('is written even if nothing of it can be read', () => {
    const hostile = new Error('x')
    for (const member of ['name', 'message', 'code']) {
      Object.defineProperty(hostile, member, {
        get() {
          throw new RangeError('no')
        },
      })
    }
    expect(failure(hostile, context)).toMatchObject({
      error_type: '[unreadable]',
      message: '[unreadable]',
      code: '[unreadable]',
    })
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(failure(proxy, proxy as FailureContext)).toMatchObject({ operation: '[unreadable]' })
    expect(failure(error, undefined as unknown as FailureContext)).toMatchObject({
      message: 'rename failed: no space',
    })
  })
})

describe('the message of what was thrown', () => {
  it.each([
    [new RangeError('too far'), 'too far'],
    [new Error(''), ''],
    ['text', 'text'],
    [null, 'null'],
    [undefined, 'undefined'],
    [5, '5'],
    [{ toString: () => 'an object' }, 'an object'],
  ])('of %s is %j', (thrown, message) => {
    expect(messageOf(thrown)).toBe(message)
  })
})
