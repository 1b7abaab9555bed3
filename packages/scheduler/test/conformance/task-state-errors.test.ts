import {
  memoryStorage,
  type SchedulerError,
  TaskInvalidStructureError,
  TaskInvalidTypeError,
  TaskInvalidValueError,
  TaskMissingFieldError,
  TaskTryDeserializeError,
} from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { rejectionOf } from './rejection.js'
import { dumpOf, holding } from './stored.js'

const record = {
  id: 0,
  name: 'a',
  expression: '0 * * * *',
  retryDelayMs: 300_000,
  lastAttemptAt: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  pendingRetryUntil: null,
  runningInstance: null,
}
const fields = Object.keys(record)

/** What `initialize` answers when this is stored; it must not have changed anything. */
async function refusalOf(...stored: unknown[]): Promise<SchedulerError> {
  const inner = memoryStorage()
  const world = new World('2026-03-02T10:00:00Z', { storage: holding(inner, stored) })
  const error = await rejectionOf(world.scheduler().initialize([world.task('a', '0 * * * *')]))
  expect(await dumpOf(inner)).toEqual({ schedulerId: null, instanceId: null, tasks: [] })
  expect(world.eventTypes().at(-1)).toBe('SchedulerInitializationFailed')
  expect(error).toBeInstanceOf(TaskTryDeserializeError)
  return error
}

describe('what is stored of a task', () => {
  it('is taken as it is when nothing is wrong with it', async () => {
    const storage = holding(memoryStorage(), [record])
    const world = new World('2026-03-02T10:30:00Z', { storage })
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *')])
    expect(world.events.at(-1)).toMatchObject({ newTasks: 0, preservedTasks: 1 })
    await scheduler.stop()
  })

  it.each(fields)('without %s is a TaskMissingFieldError', async (field) => {
    const { [field]: _left, ...rest } = record as Record<string, unknown>
    const error = await refusalOf(rest)
    expect(error).toBeInstanceOf(TaskMissingFieldError)
    expect(error.name).toBe('TaskMissingFieldError')
    expect(error.message).toBe(`Missing required field: ${field}`)
    expect(error.details).toEqual({ field })
  })

  const wrongTypes: [field: string, value: unknown, expectedType: string, actualType: string][] = [
    ['id', '0', 'number', 'string'],
    ['id', null, 'number', 'null'],
    ['name', 5, 'string', 'number'],
    ['name', null, 'string', 'null'],
    ['expression', ['0 * * * *'], 'string', 'array'],
    ['expression', {}, 'string', 'object'],
    ['retryDelayMs', '5m', 'number', 'string'],
    ['retryDelayMs', 5n, 'number', 'bigint'],
    ['lastAttemptAt', '2026-03-02T10:00:00Z', 'number or null', 'string'],
    ['lastSuccessAt', new Date(0), 'number or null', 'object'],
    ['lastFailureAt', false, 'number or null', 'boolean'],
    ['pendingRetryUntil', [], 'number or null', 'array'],
    ['runningInstance', 7, 'string', 'number'],
  ]
  it.each(wrongTypes)(
    'with a %s of %o is a TaskInvalidTypeError',
    async (field, value, expectedType, actualType) => {
      const error = await refusalOf({ ...record, [field]: value })
      expect(error).toBeInstanceOf(TaskInvalidTypeError)
      expect(error.name).toBe('TaskInvalidTypeError')
      expect(error.message).toBe(
        `Invalid type for field '${field}': expected ${expectedType}, got ${actualType}`,
      )
      expect(error.details).toEqual({ field, value, expectedType, actualType })
    },
  )

  it.each([
    ['id', -1],
    ['id', 1.5],
    ['name', ''],
    ['retryDelayMs', -1],
    ['retryDelayMs', Number.NaN],
    ['retryDelayMs', Number.POSITIVE_INFINITY],
    ['lastAttemptAt', Number.NaN],
    ['lastAttemptAt', 9e15],
    ['lastSuccessAt', Number.NEGATIVE_INFINITY],
    ['lastFailureAt', 9e15],
    ['pendingRetryUntil', Number.NaN],
  ])('with a %s of %o is a TaskInvalidValueError', async (field, value) => {
    const error = await refusalOf({ ...record, [field]: value })
    expect(error).toBeInstanceOf(TaskInvalidValueError)
    expect(error.name).toBe('TaskInvalidValueError')
    const { reason } = (error as TaskInvalidValueError).details
    expect(error.message).toBe(`Invalid value for field '${field}': ${reason}`)
    expect(error.details).toEqual({ field, value, reason })
    expect(reason).toMatch(/^must /)
  })

  it.each([null, 5, 'a', [], [record], undefined])(
    'that is %o is a TaskInvalidStructureError',
    async (value) => {
      const error = await refusalOf(value)
      expect(error).toBeInstanceOf(TaskInvalidStructureError)
      expect(error.name).toBe('TaskInvalidStructureError')
      expect(error.message).toMatch(/^Task state must be an object, got /)
      expect(error.details).toEqual({ value })
    },
  )

  it('twice under one name is a TaskInvalidStructureError', async () => {
    const second = { ...record, id: 1 }
    const error = await refusalOf(record, second)
    expect(error).toBeInstanceOf(TaskInvalidStructureError)
    expect(error.details).toEqual({ value: second })
  })

  it('is refused wherever it stands, even of a task that is no longer registered', async () => {
    const error = await refusalOf(record, { ...record, id: 1, name: 'gone', retryDelayMs: -1 })
    expect(error).toBeInstanceOf(TaskInvalidValueError)
  })

  it('and can not be read has the name of the base class among its ancestors', async () => {
    const error = await refusalOf({ ...record, id: 'x' })
    const base = Object.getPrototypeOf(Object.getPrototypeOf(error)) as Error
    expect(base.name).toBe('TaskTryDeserializeError')
    expect(error.details).toMatchObject({ field: 'id', value: 'x', expectedType: 'number' })
  })
})
