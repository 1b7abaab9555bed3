import { describe, expect, it } from 'vitest'
import { failed, newRecord, overridden, started, succeeded } from './task-record.js'

const configuration = { name: 'a', expression: '0 * * * *', retryDelayMs: 1000 }
const fresh = newRecord(7, configuration)

describe('the record of a task', () => {
  it('that is new has a configuration and no history', () => {
    expect(fresh).toEqual({
      id: 7,
      ...configuration,
      lastAttemptAt: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      pendingRetryUntil: null,
      runningInstance: null,
      madeUpFor: null,
    })
  })

  it('that starts has the attempt and who made it, and no pending retry', () => {
    const waiting = failed(started(fresh, 100, 'one'), 200)
    expect(started(waiting, 300, 'two')).toEqual({
      ...waiting,
      lastAttemptAt: 300,
      pendingRetryUntil: null,
      runningInstance: 'two',
    })
  })

  it('that starts keeps the minutes that it made up for, unless there are more of them', () => {
    const before = { ...fresh, madeUpFor: 'some' }
    expect(started(before, 100, 'one').madeUpFor).toBe('some')
    expect(started(before, 100, 'one', 'some more').madeUpFor).toBe('some more')
  })

  it('that succeeds has the success, and keeps the failure before it', () => {
    const before = started(failed(started(fresh, 100, 'one'), 200), 300, 'one')
    expect(succeeded(before, 400)).toEqual({ ...before, lastSuccessAt: 400, runningInstance: null })
    expect(succeeded(before, 400).lastFailureAt).toBe(200)
  })

  it('that fails has the failure and the time of its retry, and keeps the success', () => {
    const before = started(succeeded(started(fresh, 100, 'one'), 200), 300, 'one')
    expect(failed(before, 400)).toEqual({
      ...before,
      lastSuccessAt: 200,
      lastFailureAt: 400,
      pendingRetryUntil: 1400,
      runningInstance: null,
    })
  })

  it('that fails with a delay of half a millisecond is never retried too early', () => {
    const record = { ...fresh, retryDelayMs: 0.5 }
    expect(failed(record, 400).pendingRetryUntil).toBe(401)
  })

  it('that is overridden has another configuration and the same history', () => {
    const before = failed(started(fresh, 100, 'one'), 200)
    const after = overridden(before, { expression: '5 * * * *', retryDelayMs: 9 })
    expect(after).toEqual({ ...before, expression: '5 * * * *', retryDelayMs: 9 })
  })
})
