import { Duration } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { namedZone } from '../zone/index.js'
import { registered } from './registered.js'

const now = new Date('2026-03-02T10:00:30Z')
const zone = namedZone('UTC')

function register(...expressions: string[]) {
  const asked: number[] = []
  const zoneAt = (instant: number) => {
    asked.push(instant)
    return zone
  }
  const clock = { now: () => now, sleep: async () => undefined }
  const callback = (): void => undefined
  const received = expressions.map((expression, n) => [
    `task ${n}`,
    expression,
    callback,
    Duration.seconds(7),
  ])
  return { ...registered(received, { clock, zoneAt }), asked, callback }
}

describe('registrations', () => {
  it('have one group for each expression, in the zone of that moment', () => {
    const { groups, registrations, asked, callback, ...rest } = register(
      '0 * * * *',
      '5 * * * *',
      '0 * * * *',
    )
    expect([...groups.keys()]).toEqual(['0 * * * *', '5 * * * *'])
    expect(groups.get('5 * * * *')!.next(now.getTime())).toBe(Date.parse('2026-03-02T10:05:00Z'))
    expect(rest.now).toBe(now.getTime())
    expect(asked).toEqual([now.getTime()])
    expect([...registrations.keys()]).toEqual(['task 0', 'task 1', 'task 2'])
    expect(registrations.get('task 1')).toEqual({
      name: 'task 1',
      expression: '5 * * * *',
      callback,
      retryDelayMs: 7000,
    })
  })

  it('whose expression no date matches are refused', () => {
    const thrown = (() => {
      try {
        return register('0 * * * *', '0 0 30 2 *')
      } catch (error) {
        return error
      }
    })()
    expect(thrown).toMatchObject({
      name: 'CronCalculationError',
      details: {
        expression: '0 0 30 2 *',
        cause: new RangeError('no date matches "0 0 30 2 *"'),
      },
    })
  })

  it('whose expression is none are refused with where and why', () => {
    expect(() => register('61 * * * *')).toThrow(
      expect.objectContaining({
        name: 'CronExpressionInvalidError',
        details: expect.objectContaining({
          cause: expect.objectContaining({ name: 'InvalidCronExpressionError' }),
        }),
      }),
    )
  })
})
