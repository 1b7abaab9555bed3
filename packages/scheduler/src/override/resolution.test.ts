import { describe, expect, it } from 'vitest'
import { type Ending, Run, ScheduledTask, TaskGroup } from '../polling/index.js'
import { parseExpression } from '../registration/expression.js'
import type { StoredSchedule } from '../storage/index.js'
import { newRecord, type TaskRecord } from '../task/task-record.js'
import { namedZone } from '../zone/index.js'
import { Resolution, type ResolutionInput } from './resolution.js'

const at = (time: string): number => Date.parse(`2026-03-02T${time}Z`)
const now = at('10:00:30')
const zone = namedZone('UTC')

interface Given {
  readonly stored?: readonly unknown[]
  /** Expression by name; all with a delay of five minutes. */
  readonly registered?: Readonly<Record<string, string>>
  readonly schedule?: Partial<StoredSchedule>
  readonly input?: Partial<ResolutionInput>
}

const fiveMinutes = 300_000

function stored(id: number, name: string, fields: Partial<TaskRecord> = {}): TaskRecord {
  const expression = '0 * * * *'
  return { ...newRecord(id, { name, expression, retryDelayMs: fiveMinutes }), ...fields }
}

function resolve({ stored: tasks = [], registered = {}, schedule, input }: Given): Resolution {
  const groups = new Map<string, TaskGroup>()
  const registrations = new Map<string, Parameters<typeof newRecord>[1] & { callback(): void }>()
  for (const [name, expression] of Object.entries(registered)) {
    if (!groups.has(expression)) {
      groups.set(expression, new TaskGroup(parseExpression(expression), zone))
    }
    const callback = (): void => undefined
    registrations.set(name, { name, expression, callback, retryDelayMs: fiveMinutes })
  }
  return new Resolution(
    { schedulerId: 'schedule', instanceId: 'other', watched: null, ...schedule, tasks },
    {
      registrations,
      groups,
      now,
      instanceId: 'me',
      earlierInstanceIds: new Set(['earlier me']),
      newSchedulerId: () => 'new schedule',
      takesOver: false,
      runs: new Map(),
      unrecorded: new Map(),
      ...input,
    },
  )
}

const group = new TaskGroup(parseExpression('0 * * * *'), zone)

/** The end of a run that this scheduler could not record. */
function ending(record: TaskRecord): Ending {
  const ended = { ...record, lastSuccessAt: at('09:30:00'), runningInstance: null }
  const task = new ScheduledTask(ended, group, () => undefined)
  return { task, record: ended, at: at('09:30:00'), failure: null, isUndone: false }
}

const none = {
  newTasks: 0,
  preservedTasks: 0,
  overriddenTasks: 0,
  orphanedTasks: 0,
  removedTasks: 0,
}

describe('an end that could not be recorded', () => {
  const ended = stored(1, 'a', { lastAttemptAt: at('10:00:10'), runningInstance: 'me' })

  it.each(['me', 'earlier me'])('is recorded when the start is still that of %s', (instance) => {
    const { change, counts, tasks } = resolve({
      stored: [{ ...ended, runningInstance: instance }],
      registered: { a: '0 * * * *' },
      input: { unrecorded: new Map([['a', ending(ended)]]) },
    })
    expect(change.replaced).toEqual([ending(ended).record])
    expect(counts).toEqual({ ...none, preservedTasks: 1 })
    expect(tasks.get('a')).toMatchObject({ isOrphaned: false, dueMinute: null })
  })

  it.each([
    { what: 'started it', fields: { runningInstance: 'other' }, orphanedTasks: 1 },
    { what: 'ended it', fields: { lastSuccessAt: at('09:59:59') }, orphanedTasks: 0 },
  ])('overwrites nothing when another instance $what meanwhile', ({ fields, orphanedTasks }) => {
    const later = stored(1, 'a', { lastAttemptAt: at('10:00:20'), ...fields })
    const { change, counts, tasks } = resolve({
      stored: [later],
      registered: { a: '0 * * * *' },
      input: { unrecorded: new Map([['a', ending(ended)]]) },
    })
    expect(change.replaced).toEqual([])
    expect(tasks.get('a')!.record).toEqual(later)
    expect(counts).toEqual({ ...none, orphanedTasks, preservedTasks: 1 - orphanedTasks })
  })

  it('takes the new configuration along', () => {
    const { change, counts } = resolve({
      stored: [ended],
      registered: { a: '5 * * * *' },
      input: { unrecorded: new Map([['a', ending(ended)]]) },
    })
    expect(change.replaced).toEqual([{ ...ending(ended).record, expression: '5 * * * *' }])
    expect(counts).toEqual({ ...none, overriddenTasks: 1 })
  })
})

describe('a start without an end', () => {
  const started = (runningInstance: string) =>
    stored(1, 'a', { lastAttemptAt: at('10:00:10'), runningInstance })

  it.each([
    { of: 'an instance that is gone', instance: 'other', takesOver: false, isOrphaned: true },
    { of: 'the instance taken over', instance: 'other', takesOver: true, isOrphaned: false },
    { of: 'one before that', instance: 'third', takesOver: true, isOrphaned: true },
    { of: 'ours, without a run', instance: 'me', takesOver: false, isOrphaned: true },
  ])('of $of is an orphan: $isOrphaned', ({ instance, takesOver, isOrphaned }) => {
    const { change, counts, tasks } = resolve({
      stored: [started(instance)],
      registered: { a: '0 * * * *' },
      input: { takesOver },
    })
    const orphanedTasks = isOrphaned ? 1 : 0
    expect(tasks.get('a')!.isOrphaned).toBe(isOrphaned)
    expect(counts).toEqual({ ...none, orphanedTasks, preservedTasks: 1 - orphanedTasks })
    // An orphan keeps its start until the next one is recorded; what runs elsewhere is over here.
    const record = isOrphaned ? started(instance) : { ...started(instance), runningInstance: null }
    expect(tasks.get('a')!.record).toEqual(record)
    expect(change.replaced).toEqual(isOrphaned ? [] : [record])
  })

  it('is no orphan while the run goes on here', () => {
    const record = started('me')
    const keeper = { runEnded: () => undefined }
    const run = new Run(new ScheduledTask(record, group, () => undefined), keeper)
    const { change, counts, tasks } = resolve({
      stored: [record],
      registered: { a: '0 * * * *' },
      input: { runs: new Map([['a', run]]) },
    })
    expect(tasks.get('a')!.isOrphaned).toBe(false)
    expect(counts).toEqual({ ...none, preservedTasks: 1 })
    expect(change.replaced).toEqual([])
  })

  it('is an orphan before it is overridden, and takes the new configuration', () => {
    const { change, counts } = resolve({
      stored: [started('other')],
      registered: { a: '5 * * * *' },
    })
    expect(counts).toEqual({ ...none, orphanedTasks: 1 })
    expect(change.replaced).toEqual([{ ...started('other'), expression: '5 * * * *' }])
  })
})

describe('registrations and what is stored', () => {
  const history = {
    lastAttemptAt: at('09:59:00'),
    lastFailureAt: at('09:59:10'),
    pendingRetryUntil: at('10:04:10'),
    madeUpFor: `${at('09:00:00')}`,
  }

  it('that are the same change nothing', () => {
    const record = stored(1, 'a', history)
    const { change, counts, tasks } = resolve({ stored: [record], registered: { a: '0 * * * *' } })
    expect(change).toMatchObject({ removed: [], added: [], replaced: [] })
    expect(counts).toEqual({ ...none, preservedTasks: 1 })
    expect(tasks.get('a')).toMatchObject({ record, hasNewExpression: false })
  })

  it.each([
    { title: 'expression', fields: { expression: '1 * * * *' }, hasNewExpression: true },
    { title: 'delay', fields: { retryDelayMs: 1 }, hasNewExpression: false },
  ])('with another $title keep what happened', ({ fields, hasNewExpression }) => {
    const { change, counts, tasks } = resolve({
      stored: [stored(1, 'a', { ...history, ...fields })],
      registered: { a: '0 * * * *' },
    })
    expect(change.replaced).toEqual([stored(1, 'a', history)])
    expect(counts).toEqual({ ...none, overriddenTasks: 1 })
    expect(tasks.get('a')!.hasNewExpression).toBe(hasNewExpression)
  })

  it('give ids to new tasks that none ever had, not even one that is removed', () => {
    const { change, counts, tasks, watched } = resolve({
      stored: [stored(3, 'gone'), stored(7, 'gone too'), stored(5, 'kept')],
      registered: { one: '0 * * * *', kept: '0 * * * *', two: '1 * * * *' },
    })
    expect(change.removed).toEqual([3, 7])
    expect(change.added).toEqual([
      stored(8, 'one'),
      { ...stored(9, 'two'), expression: '1 * * * *' },
    ])
    expect(counts).toEqual({ ...none, newTasks: 2, preservedTasks: 1, removedTasks: 2 })
    expect([...tasks.keys()].sort()).toEqual(['kept', 'one', 'two'])
    expect(tasks.get('one')).toMatchObject({ hasNewExpression: false, isOrphaned: false })
    expect(watched.lastTaskId).toBe(9)
  })

  it('give no id again that was given to a task long ago', () => {
    const watched = JSON.stringify({ lastTaskId: 41, stretches: [], latest: null })
    const { change } = resolve({
      stored: [stored(3, 'a')],
      registered: { a: '0 * * * *', b: '0 * * * *' },
      schedule: { watched },
    })
    expect([...change.added].map(({ id }) => id)).toEqual([42])
  })

  it('say who the scheduler is, and from when on it watches the clock', () => {
    const { change, schedulerId, watched } = resolve({ registered: { a: '0 * * * *' } })
    expect([schedulerId, change.schedulerId, change.instanceId]).toEqual([
      'schedule',
      'schedule',
      'me',
    ])
    expect(change.watched).toBe(String(watched))
    expect([watched.has(now, 0), watched.has(now, 1), watched.end]).toEqual([
      true,
      false,
      at('10:00:00'),
    ])
    const first = resolve({ schedule: { schedulerId: null, instanceId: null } })
    expect([first.schedulerId, first.change.schedulerId]).toEqual(['new schedule', 'new schedule'])
  })

  it('put each task into the group of its expression', () => {
    const { tasks } = resolve({ registered: { a: '0 * * * *', b: '1 * * * *' } })
    expect(tasks.get('a')!.group.tasks).toEqual([tasks.get('a')])
    expect(tasks.get('b')!.group.tasks).toEqual([tasks.get('b')])
  })
})

describe('the minute that a task owes', () => {
  const minutes = (from: string, to: string): [number, number, number] => [at(from), at(to), 1]
  const cameAgain = JSON.stringify({
    lastTaskId: 1,
    stretches: [minutes('09:00:00', '10:05:00')],
    cameAgain: [minutes('09:30:00', '10:05:00')],
    latest: minutes('09:50:00', '09:50:00'),
  })
  const watchedTen = JSON.stringify({
    lastTaskId: 1,
    stretches: [minutes('10:00:00', '10:00:00')],
    latest: minutes('10:00:00', '10:00:00'),
  })

  it.each<{
    title: string
    expression?: string
    last: string | null
    madeUpFor?: string
    before?: string
    watched?: string
    owes: string | null
  }>([
    { title: 'has never run, in a minute of its own', last: null, owes: '10:00:00' },
    { title: 'has never run, in another minute', expression: '1 * * * *', last: null, owes: null },
    { title: 'ran before its latest minute', last: '09:59:59', owes: '10:00:00' },
    { title: 'ran when its latest minute began', last: '10:00:00', owes: null },
    { title: 'missed many', expression: '7,56 * * * *', last: '03:00:00', owes: '09:56:00' },
    { title: 'missed none', expression: '30 9 * * *', last: '09:31:00', owes: null },
    { title: 'ran just now for another', before: '1 * * * *', last: '10:00:30', owes: null },
    { title: 'made up for it', last: '09:00:00', madeUpFor: '10:00:00', owes: null },
    { title: 'made up for the latest', last: '08:30:00', madeUpFor: '10:00:00', owes: '09:00:00' },
    {
      title: 'has handled what came twice',
      expression: '0,10,20,30,40,50 * * * *',
      last: '09:10:00',
      watched: cameAgain,
      owes: '09:20:00',
    },
    {
      title: 'has handled what came twice with another expression',
      expression: '0,10,20,30,40,50 * * * *',
      before: '1 * * * *',
      last: '09:10:00',
      watched: cameAgain,
      owes: '10:00:00',
    },
    { title: 'ran later, before the clock was set back', last: '12:00:00', owes: '10:00:00' },
    {
      title: 'ran later, and has another minute',
      expression: '1 * * * *',
      last: '12:00:00',
      owes: null,
    },
    { title: 'ran later in this minute', last: '10:00:45', owes: null },
    { title: 'ran later, and for this', last: '12:00:00', watched: watchedTen, owes: null },
    { title: 'ran later, made up', last: '12:00:00', madeUpFor: '10:00:00', owes: null },
  ])('and that $title', ({ expression = '0 * * * *', last, before, watched, ...row }) => {
    const record = stored(1, 'a', {
      expression: before ?? expression,
      lastAttemptAt: last === null ? null : at(last),
      madeUpFor: row.madeUpFor === undefined ? null : String(at(row.madeUpFor)),
    })
    const { tasks } = resolve({
      stored: [record],
      registered: { a: expression },
      schedule: { watched: watched ?? null },
    })
    const { dueMinute } = tasks.get('a')!
    expect(dueMinute).toBe(row.owes === null ? null : at(row.owes))
  })
})

describe('what is stored and can not be right', () => {
  it.each([
    {
      title: 'twice the same task',
      tasks: [stored(1, 'a'), stored(2, 'a')],
      error: { name: 'TaskInvalidStructureError', message: 'Task "a" is stored twice' },
      details: { value: stored(2, 'a') },
      where: undefined,
    },
    {
      title: 'a field of another kind',
      tasks: [{ ...stored(4, 'a'), expression: 5 }],
      error: { name: 'TaskInvalidTypeError' },
      details: { field: 'expression' },
      where: 'task "a" with the id 4',
    },
    {
      title: 'a task without an id',
      tasks: [{ ...stored(4, 'a"b'), id: undefined }],
      error: { name: 'TaskMissingFieldError' },
      details: { field: 'id' },
      where: String.raw`task "a\"b"`,
    },
    {
      title: 'a task without a name',
      tasks: [{ ...stored(4, 'a'), name: null }],
      error: { name: 'TaskInvalidTypeError' },
      details: { field: 'name' },
      where: 'a task with the id 4',
    },
    {
      title: 'no task at all',
      tasks: [null],
      error: { name: 'TaskInvalidStructureError' },
      details: { value: null },
      where: 'a task',
    },
  ])('is named: $title', ({ tasks, error, details, where }) => {
    const thrown = (() => {
      try {
        return resolve({ stored: tasks, registered: { a: '0 * * * *' } })
      } catch (caught) {
        return caught
      }
    })()
    expect(thrown).toMatchObject({ ...error, details })
    expect((thrown as { where?: string }).where).toBe(where)
  })
})
