import { describe, expect, it } from 'vitest'
import { parseExpression } from '../registration/expression.js'
import { newRecord, type TaskRecord } from '../task/task-record.js'
import { namedZone } from '../zone/index.js'
import { ScheduledTask, TaskGroup } from './scheduled-task.js'
import { WatchedTime } from './watched-time.js'

const at = (time: string): number => Date.parse(`2026-03-02T${time}Z`)

function hourly(fields: Partial<TaskRecord> = {}): ScheduledTask {
  const expression = '0 * * * *'
  const record = newRecord(3, { name: 'a', expression, retryDelayMs: 60_000 })
  const group = new TaskGroup(parseExpression(expression), namedZone('UTC'))
  return new ScheduledTask({ ...record, ...fields }, group, () => undefined)
}

/** Watched from nine until ten, when there were tasks up to an id. */
function watchedTime(lastTaskId = 3): WatchedTime {
  const watched = new WatchedTime(lastTaskId)
  watched.beginAt(at('09:00:00'))
  watched.reach(at('10:00:00'))
  return watched
}

describe('a task for a minute that comes again', () => {
  it.each<[string, Partial<TaskRecord>, string, boolean]>([
    ['that was watched', {}, '09:00:00', true],
    ['after what was watched', {}, '11:00:00', false],
    ['that was made up for', { madeUpFor: `${at('07:00:00')}` }, '07:00:00', true],
    ['beside one that was made up for', { madeUpFor: `${at('07:00:00')}` }, '06:00:00', false],
    ['that its latest attempt was for', { lastAttemptAt: at('12:00:00') }, '12:00:00', true],
    ['that its latest attempt was late for', { lastAttemptAt: at('12:34:00') }, '12:00:00', true],
    ['after its latest attempt', { lastAttemptAt: at('12:34:00') }, '13:00:00', false],
    ['before that of its latest attempt', { lastAttemptAt: at('13:00:00') }, '12:00:00', false],
    ['before its first attempt', {}, '12:00:00', false],
  ])('%s has run for it: %j at %s: %s', (_, fields, time, hasRun) => {
    expect(hourly(fields).hasRunFor(at(time), watchedTime())).toBe(hasRun)
  })

  it('has not run for what was watched before it was there', () => {
    expect(hourly().hasRunFor(at('09:00:00'), watchedTime(2))).toBe(false)
  })

  it('has not run for its new expression when its attempt was for the old one', () => {
    const changed = hourly({ lastAttemptAt: at('12:00:00') })
    expect(changed.hasNewExpression).toBe(false)
    changed.hasNewExpression = true
    expect(changed.hasRunFor(at('12:00:00'), watchedTime())).toBe(false)
  })
})

describe('what a task owes', () => {
  it.each([
    ['nothing', {}, false],
    ['a minute', { dueMinute: at('09:00:00') }, true],
    ['a run that never ended', { isOrphaned: true }, true],
    ['a retry', { isRetryDue: true }, true],
  ])('is %s, and nothing once it is settled', (_, owed, owesRun) => {
    const task = Object.assign(hourly(), owed)
    expect(task.owesRun).toBe(owesRun)
    task.settle()
    expect(task.owesRun).toBe(false)
  })
})
