import { describe, expect, it } from 'vitest'
import { parseExpression } from '../registration/expression.js'
import { newRecord, type TaskRecord } from '../task/task-record.js'
import { namedZone } from '../zone/index.js'
import { Retries } from './retries.js'
import { ScheduledTask, TaskGroup } from './scheduled-task.js'

const group = new TaskGroup(parseExpression('0 * * * *'), namedZone('UTC'))

function task(fields: Partial<TaskRecord>): ScheduledTask {
  const record = newRecord(0, { name: 'a', expression: '0 * * * *', retryDelayMs: 0 })
  return new ScheduledTask({ ...record, ...fields }, group, () => undefined)
}

describe('a task that failed', () => {
  it.each([
    { title: 'at its time', failed: 5100, until: 9000, now: 5100, at: 9000 },
    { title: 'not in the second of the failure', failed: 5100, until: 5100, now: 5100, at: 6000 },
    { title: 'a second after a failure on it', failed: 5000, until: 5000, now: 5000, at: 6000 },
    { title: 'at the end of that second', failed: 5100, until: 6000, now: 5100, at: 6000 },
    { title: 'just after that second', failed: 5100, until: 6001, now: 5100, at: 6001 },
    { title: 'though its time is over', failed: 5100, until: 9000, now: 20_000, at: 9000 },
    { title: 'after its whole delay from now', failed: 5100, until: 9000, now: 2000, at: 5900 },
    { title: 'at its time on the same instant', failed: 5100, until: 9000, now: 5100, at: 9000 },
    {
      title: 'at its time, if none knows the failure',
      failed: null,
      until: 9000,
      now: 0,
      at: 1000,
    },
    { title: 'from the next second on', failed: null, until: null, now: 5100, at: 6000 },
  ])('is tried again $title', ({ failed, until, now, at }) => {
    const retries = new Retries()
    retries.await(task({ lastFailureAt: failed, pendingRetryUntil: until }), now)
    expect(retries.nextAt).toBe(at)
    expect(retries.takeDue(at - 1)).toEqual([])
    expect(retries.takeDue(at)).toHaveLength(1)
    expect(retries.nextAt).toBe(Number.POSITIVE_INFINITY)
  })

  it('is forgotten when it runs', () => {
    const retries = new Retries()
    const [one, other] = [task({ pendingRetryUntil: 1 }), task({ pendingRetryUntil: 2 })]
    retries.await(one, 0)
    retries.await(other, 0)
    retries.forget(one)
    expect(retries.takeDue(10_000)).toEqual([other])
  })

  it('waits no longer than its delay after the clock was set back', () => {
    const retries = new Retries()
    const day = 86_400_000
    retries.await(task({ lastFailureAt: day, pendingRetryUntil: day + 7000 }), day)
    retries.rewind(500)
    expect(retries.nextAt).toBe(7500)
    retries.rewind(2 * day)
    expect(retries.nextAt).toBe(day + 7000)
  })
})
