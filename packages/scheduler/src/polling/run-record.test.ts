import { describe, expect, it } from 'vitest'
import { Announcer, type SchedulerEvent } from '../event/index.js'
import { parseExpression } from '../registration/expression.js'
import { newRecord, type TaskRecord } from '../task/task-record.js'
import { namedZone } from '../zone/index.js'
import { announceEnding, announceStart, endingOf, startOf, undoneStart } from './run-record.js'
import { ScheduledTask, TaskGroup } from './scheduled-task.js'
import { WatchedTime } from './watched-time.js'

const at = (time: string): number => Date.parse(`2026-03-02T${time}Z`)

function task(due: string | null, fields: Partial<TaskRecord> = {}): ScheduledTask {
  const expression = '0 * * * *'
  const record = newRecord(0, { name: 'a', expression, retryDelayMs: 60_000 })
  const group = new TaskGroup(parseExpression(expression), namedZone('UTC'))
  const scheduled = new ScheduledTask({ ...record, ...fields }, group, () => undefined)
  scheduled.dueMinute = due === null ? null : at(due)
  return scheduled
}

/** Watched from nine until half past ten. */
function watchedTime(): WatchedTime {
  const watched = new WatchedTime(0)
  watched.beginAt(at('09:00:00'))
  watched.reach(at('10:30:00'))
  return watched
}

describe('the record of a start', () => {
  it.each([
    { title: 'in its minute', due: '10:00:00', madeUpFor: null },
    { title: 'for no minute', due: null, madeUpFor: null },
    { title: 'for one that nobody watched', due: '08:00:00', madeUpFor: `${at('08:00:00')}` },
  ])('$title says which minutes were made up for', ({ due, madeUpFor }) => {
    const start = startOf(task(due), at('10:00:05'), 'me', watchedTime())
    expect(start.record).toMatchObject({
      lastAttemptAt: at('10:00:05'),
      runningInstance: 'me',
      madeUpFor,
    })
  })

  it('keeps the minutes that were made up for before', () => {
    const before = task('08:00:00', { madeUpFor: `${at('06:00:00')}` })
    const { record } = startOf(before, at('10:00:05'), 'me', watchedTime())
    expect(record.madeUpFor).toBe(`${at('06:00:00')} ${at('08:00:00')}`)
  })
})

function heard(announce: (announcer: Announcer) => void): SchedulerEvent[] {
  const events: SchedulerEvent[] = []
  announce(new Announcer((event) => void events.push(event), {}))
  return events
}

describe('what is reported of a start', () => {
  const retry = at('10:10:00')

  it.each([
    { title: 'of a minute', due: '10:00:00', told: ['TaskRunStarted cron'] },
    { title: 'of an orphan', due: null, isOrphaned: true, told: ['TaskRunStarted orphaned'] },
    {
      title: 'of an orphan with a retry',
      due: null,
      isOrphaned: true,
      retry,
      told: ['TaskRunStarted orphaned'],
    },
    { title: 'of a retry', due: null, retry, told: ['TaskRetryStarted'] },
    { title: 'of both at once', due: '10:10:00', retry, told: ['TaskRetryStarted'] },
    {
      title: 'of a minute before the retry',
      due: '10:09:00',
      retry,
      told: ['TaskRetryPreempted', 'TaskRunStarted cron'],
    },
  ])('$title', ({ due, isOrphaned = false, retry: pendingRetryUntil = null, told }) => {
    const started = task(due, { pendingRetryUntil })
    started.isOrphaned = isOrphaned
    const start = startOf(started, at('10:20:00'), 'me', watchedTime())
    const events = heard((announcer) => announceStart(start, at('10:20:01'), announcer))
    const words = events.map((event) =>
      'reason' in event ? `${event.type} ${event.reason}` : event.type,
    )
    expect(words).toEqual(told)
    for (const event of events) {
      expect(event).toMatchObject({ taskName: 'a', time: new Date(at('10:20:01')) })
    }
  })

  it.each([
    { due: '10:20:01', scheduled: { scheduledFor: new Date(at('10:20:01')) } },
    {
      due: '10:21:00',
      scheduled: { scheduledFor: null, scheduledBeforeSetBack: new Date(at('10:21:00')) },
    },
  ])('never says that it was for a time to come: $due', ({ due, scheduled }) => {
    const start = startOf(task(due), at('10:20:00'), 'me', watchedTime())
    const [event] = heard((announcer) => announceStart(start, at('10:20:01'), announcer))
    expect(event).toEqual({
      type: 'TaskRunStarted',
      time: new Date(at('10:20:01')),
      taskName: 'a',
      lastAttemptAt: new Date(at('10:20:00')),
      reason: 'cron',
      ...scheduled,
    })
  })
})

describe('what is reported of an end', () => {
  const running = task(null, { lastAttemptAt: at('10:00:00'), runningInstance: 'me' })
  const about = {
    time: new Date(at('10:00:07')),
    taskName: 'a',
    lastAttemptAt: new Date(at('10:00:00')),
  }

  it('is a success', () => {
    const ending = endingOf(running, at('10:00:07'), null)
    expect(heard((announcer) => announceEnding(ending, announcer))).toEqual([
      { type: 'TaskRunCompleted', ...about, lastSuccessAt: about.time },
    ])
  })

  it('is a failure, with when it is tried again', () => {
    const error = new Error('no')
    const ending = endingOf(running, at('10:00:07'), { error })
    expect(heard((announcer) => announceEnding(ending, announcer))).toMatchObject([
      {
        type: 'TaskRunFailed',
        ...about,
        lastFailureAt: about.time,
        pendingRetryUntil: new Date(at('10:01:07')),
        error,
      },
    ])
  })

  it('is nothing when the start was taken back', () => {
    const ending = undoneStart(running)
    expect(ending.record).toBe(running.record)
    expect(heard((announcer) => announceEnding(ending, announcer))).toEqual([])
  })

  it('is logged if it failed, also where nobody hears everything', () => {
    const warnings: string[] = []
    const announcer = new Announcer(undefined, { warn: (text) => void warnings.push(text) })
    announceEnding(endingOf(running, at('10:00:07'), null), announcer)
    announceEnding(endingOf(running, at('10:00:07'), { error: new Error('no') }), announcer)
    expect(warnings).toEqual([expect.stringContaining('no')])
  })
})
