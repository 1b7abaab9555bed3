import { describe, expect, it } from 'vitest'
import { SchedulerInitializationError, StorageError } from './index.js'

const cause = new Error('disk full')

describe('an error of the scheduler', () => {
  it('that nobody expected has what caused it, for programs and for people', () => {
    const error = new SchedulerInitializationError(cause)
    expect(error.message).toBe('Failed to initialize scheduler: disk full')
    expect([error.cause, error.details.cause]).toEqual([cause, cause])
    expect(error.toJSON()).toMatchObject({ cause: { message: 'disk full' } })
  })

  it('about a storage names ten of its tasks, and says how many there are', () => {
    const taskNames = Array.from({ length: 5000 }, (_, number) => `task ${number}`)
    const error = new StorageError({ operation: 'save', place: 'kron.db', taskNames }, cause)
    expect(error.details.taskNames).toEqual(taskNames.slice(0, 10))
    expect(error.message).toBe(
      'Storage failed to save task "task 0" and 4999 more in kron.db: disk full',
    )
  })

  it('says from the inside to the outside where it was', () => {
    const error = new StorageError({ operation: 'save' }, cause)
    expect(error.locate(undefined).where).toBeUndefined()
    expect(error.locate('task "a"').locate('kron.db').where).toBe('task "a" in kron.db')
  })
})
