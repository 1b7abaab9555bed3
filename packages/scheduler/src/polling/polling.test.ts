import type { Clock } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { SupersededError } from '../errors/index.js'
import { Announcer, type SchedulerEvent } from '../event/index.js'
import { parseExpression } from '../registration/expression.js'
import type { Storage } from '../storage/index.js'
import { newRecord, type TaskRecord } from '../task/task-record.js'
import { namedZone } from '../zone/index.js'
import { Polling } from './polling.js'
import { Run } from './run.js'
import { ScheduledTask, TaskGroup } from './scheduled-task.js'
import { WatchedTime } from './watched-time.js'

const at = (time: string): number => Date.parse(`2026-03-02T${time}Z`)
const shown = (instant: number): string => new Date(instant).toISOString().slice(11, 23)

/** A polling of tasks from 10:00:30 on, with what it writes and tells; one save can be played. */
class Loop {
  readonly clock = new VirtualClock(at('10:00:30'), { quietTurns: 1 })
  readonly saves: TaskRecord[][] = []
  readonly events: SchedulerEvent[] = []
  readonly tasks: ScheduledTask[] = []
  readonly #groups = new Map<string, TaskGroup>()
  /** Told the wall clock; answers what is shown. */
  show: (now: number) => number = (now) => now
  onSave: (count: number) => unknown = () => undefined
  polling!: Polling
  over!: Promise<void>

  task(expression: string, callback: () => unknown, fields: Partial<TaskRecord> = {}): this {
    const id = this.tasks.length
    const group =
      this.#groups.get(expression) ?? new TaskGroup(parseExpression(expression), namedZone('UTC'))
    this.#groups.set(expression, group)
    const record = newRecord(id, { name: `task ${id}`, expression, retryDelayMs: 30_000 })
    const task = new ScheduledTask({ ...record, ...fields }, group, callback)
    group.tasks.push(task)
    this.tasks.push(task)
    return this
  }

  begin(): this {
    const clock: Clock = {
      now: () => new Date(this.show(this.clock.now().getTime())),
      sleep: (ms, signal) => this.clock.sleep(ms, signal),
    }
    const save = async (_: string, records: readonly TaskRecord[]): Promise<void> => {
      await this.onSave(this.saves.push([...records]))
    }
    const unused = async (): Promise<void> => undefined
    const storage: Storage = { open: unused, change: unused, close: unused, save }
    const since = at('10:00:30')
    const watched = new WatchedTime(this.tasks.length - 1)
    watched.beginAt(since)
    this.polling = new Polling({
      clock,
      storage,
      announcer: new Announcer((event) => void this.events.push(event), {}),
      instanceId: 'me',
      groups: [...this.#groups.values()],
      watched,
      since,
    })
    this.over = this.polling.poll()
    return this
  }

  async stop(): Promise<void> {
    this.polling.stop()
    await this.clock.advanceBy(60_000)
    await this.over
  }

  /** Of each save: task, what it says of it, and the latest attempt. */
  get written(): string[][] {
    return this.saves.map((records) =>
      records.map(({ id, runningInstance, lastAttemptAt }) => {
        const state = runningInstance === null ? 'ended' : 'started'
        return `${id} ${state} ${lastAttemptAt === null ? 'never' : shown(lastAttemptAt)}`
      }),
    )
  }
}

const disk = (): never => {
  throw new Error('disk full')
}

describe('a start', () => {
  it('is not recorded before its minute, though the clock went back since it was read', async () => {
    const loop = new Loop().task('1 10 * * *', () => undefined)
    let reads = 0
    loop.show = (now) => (now >= at('10:01:00') && reads++ > 0 ? now - 10 : now)
    await loop.begin().clock.advanceBy(30_000)
    expect(loop.written[0]).toEqual(['0 started 10:01:00.000'])
    await loop.stop()
  })

  it('is recorded when it is made, and not when the round began', async () => {
    const loop = new Loop().task('1 10 * * *', () => undefined)
    let reads = 0
    loop.show = (now) => (now >= at('10:01:00') && reads++ > 0 ? now + 70 : now)
    await loop.begin().clock.advanceBy(30_000)
    expect(loop.written[0]).toEqual(['0 started 10:01:00.070'])
    await loop.stop()
  })

  it('that took until the next minute serves that as well, and the end says so', async () => {
    let calls = 0
    const loop = new Loop().task('* * * * *', () => calls++)
    // To the millisecond at which the next minute begins.
    loop.onSave = (count) => (count === 1 ? loop.clock.sleep(60_000) : undefined)
    await loop.begin().clock.advanceBy(100_000)
    expect(loop.written).toEqual([['0 started 10:01:00.000'], ['0 ended 10:02:00.000']])
    expect(calls).toBe(1)
    const [started] = loop.events.filter(({ type }) => type === 'TaskRunStarted')
    expect(started).toMatchObject({
      time: new Date(at('10:02:00')),
      lastAttemptAt: new Date(at('10:02:00')),
      scheduledFor: new Date(at('10:02:00')),
    })
    await loop.stop()
  })

  it('that could not be recorded is made when it is, once, with its own time', async () => {
    let calls = 0
    const loop = new Loop().task('1 * * * *', () => calls++)
    loop.onSave = (count) => count <= 2 && disk()
    await loop.begin().clock.advanceBy(31_000)
    expect(calls).toBe(0)
    await loop.clock.advanceBy(60_000)
    expect(calls).toBe(1)
    expect(loop.written).toEqual([
      ['0 started 10:01:00.000'],
      ['0 started 10:01:01.000'],
      ['0 started 10:01:03.000'],
      ['0 ended 10:01:03.000'],
    ])
    await loop.stop()
    expect(loop.saves).toHaveLength(4)
  })

  it('that may have been recorded is taken back by a stop', async () => {
    const loop = new Loop().task('1 * * * *', () => undefined)
    loop.onSave = (count) => count === 1 && disk()
    await loop.begin().clock.advanceBy(30_000)
    await loop.stop()
    expect(loop.written).toEqual([['0 started 10:01:00.000'], ['0 ended never']])
    expect(loop.polling.unrecorded).toEqual([])
    expect(loop.events.map(({ type }) => type)).toEqual(['StorageFailed'])
  })

  it('that was recorded while the stop came in is taken back, and not called', async () => {
    let calls = 0
    const loop = new Loop().task('1 * * * *', () => calls++)
    loop.onSave = (count) => {
      if (count === 1) loop.polling.stop()
    }
    await loop.begin().clock.advanceBy(30_000)
    await loop.stop()
    expect(loop.written).toEqual([['0 started 10:01:00.000'], ['0 ended never']])
    expect(calls).toBe(0)
  })

  it('ends the wait for a retry, which does not come beside it', async () => {
    let calls = 0
    const loop = new Loop().task('1,2 10 * * *', () => calls++, {
      lastAttemptAt: at('09:00:00'),
      lastFailureAt: at('09:00:00'),
      pendingRetryUntil: at('10:01:30'),
    })
    await loop.begin().clock.advanceBy(85_000)
    expect(calls).toBe(1)
    expect(loop.events.map(({ type }) => type)).toEqual([
      'TaskRetryPreempted',
      'TaskRunStarted',
      'TaskRunCompleted',
    ])
    await loop.stop()
  })
})

describe('the end of a run', () => {
  it('is written and told once, and the next start after it', async () => {
    const loop = new Loop().task('* * * * *', () => undefined)
    await loop.begin().clock.advanceBy(90_000)
    expect(loop.written).toEqual([
      ['0 started 10:01:00.000'],
      ['0 ended 10:01:00.000'],
      ['0 started 10:02:00.000'],
      ['0 ended 10:02:00.000'],
    ])
    const told = loop.events.map(({ type, time }) => `${type} ${shown(time.getTime())}`)
    expect(told).toEqual([
      'TaskRunStarted 10:01:00.000',
      'TaskRunCompleted 10:01:00.000',
      'TaskRunStarted 10:02:00.000',
      'TaskRunCompleted 10:02:00.000',
    ])
    await loop.stop()
  })

  it('that could not be written comes before a later one, and before the next start', async () => {
    const loop = new Loop()
      .task('1 10 * * *', () => undefined)
      .task('1 10 * * *', () => loop.clock.sleep(500))
    // The second run ends while the end of the first is being written, without success.
    loop.onSave = (count) => (count === 2 ? loop.clock.sleep(600).then(disk) : undefined)
    await loop.begin().clock.advanceBy(60_000)
    expect(loop.written).toEqual([
      ['0 started 10:01:00.000', '1 started 10:01:00.000'],
      ['0 ended 10:01:00.000'],
      ['0 ended 10:01:00.000', '1 ended 10:01:00.000'],
    ])
    await loop.stop()
  })

  it('is tried three times when it stops, and then kept for who comes next', async () => {
    const loop = new Loop().task('1 10 * * *', () => undefined)
    loop.onSave = (count) => count >= 2 && disk()
    await loop.begin().clock.advanceBy(30_000)
    expect(loop.saves).toHaveLength(2)
    await loop.stop()
    expect(loop.saves).toHaveLength(5)
    expect(loop.polling.unrecorded).toMatchObject([{ record: { id: 0, runningInstance: null } }])
  })

  it('that failed is tried again after its delay, and not before', async () => {
    let calls = 0
    const loop = new Loop().task('1 10 * * *', () => {
      if (calls++ === 0) throw new Error('no')
    })
    await loop.begin().clock.advanceBy(59_999)
    expect(calls).toBe(1)
    await loop.clock.advanceBy(1)
    expect(calls).toBe(2)
    expect(loop.saves[1]).toMatchObject([{ pendingRetryUntil: at('10:01:30') }])
    await loop.stop()
  })
})

it('a retry waits no longer than its delay when the clock is set back', async () => {
  let calls = 0
  const loop = new Loop().task('1 10 2 3 *', () => {
    if (calls++ === 0) throw new Error('no')
  })
  await loop.begin().clock.advanceBy(31_000)
  loop.clock.step(-86_400_000)
  // When it next looks at the clock, the whole delay counts from there.
  await loop.clock.advanceBy(29_000 + 31_000)
  expect(calls).toBe(2)
  await loop.stop()
})

describe('a minute with many starts', () => {
  const many = 1000
  const addMany = (loop: Loop, expression: string): void => {
    for (let n = 0; n < many; n++) loop.task(expression, () => undefined)
  }
  const sizes = (loop: Loop): number[] => loop.saves.map((records) => records.length)

  it('leaves the ends of other runs for after them, though their own were written', async () => {
    const loop = new Loop().task('1 10 * * *', () => loop.clock.sleep(60_000))
    addMany(loop, '1,2 10 * * *')
    await loop.begin().clock.advanceBy(120_000)
    expect(sizes(loop)).toEqual([many + 1, many, many, many + 1])
    await loop.stop()
  })

  it('has the ends that waited written right after it', async () => {
    const loop = new Loop().task('1 10 * * *', () => loop.clock.sleep(60_000))
    for (let n = 0; n < many; n++) loop.task('2 10 * * *', () => new Promise(() => undefined))
    await loop.begin().clock.advanceBy(90_001)
    expect(sizes(loop)).toEqual([1, many, 1])
  })

  it('that can not be written lets ends wait for 32 attempts, and not for ever', async () => {
    const loop = new Loop().task('1 10 * * *', () => loop.clock.sleep(60_500))
    addMany(loop, '2 10 * * *')
    loop.onSave = (count) => count >= 2 && count < 34 && disk()
    await loop.begin().clock.advanceBy(3_600_000)
    expect(sizes(loop)).toEqual([1, ...Array(32).fill(many), many + 1, many])
    await loop.stop()
  })
})

describe('a run of an earlier initialization', () => {
  const nobody = { runEnded: () => undefined }

  it.each([
    { title: 'succeeded', failure: null, type: 'TaskRunCompleted' },
    { title: 'failed', failure: { error: new Error('no') }, type: 'TaskRunFailed' },
  ])('that $title before it was adopted has its end recorded', async ({ failure, type }) => {
    const fields = { lastAttemptAt: at('10:00:00'), runningInstance: 'me' }
    const loop = new Loop().task('1 11 * * *', () => undefined, fields)
    const [task] = loop.tasks as [ScheduledTask]
    const run = new Run(task, nobody)
    run.hasEnded = true
    run.failure = failure
    loop.begin().polling.adopt(run, task)
    await loop.clock.advanceBy(1)
    expect(loop.written).toEqual([['0 ended 10:00:00.000']])
    expect(loop.events.map((event) => event.type)).toEqual([type])
    expect(loop.polling.runs).toEqual([])
    await loop.stop()
  })

  it('that goes on keeps its task from starting beside it, and a stop waits for it', async () => {
    let calls = 0
    const loop = new Loop().task('* * * * *', () => calls++)
    const [task] = loop.tasks as [ScheduledTask]
    const run = new Run(task, nobody)
    loop.begin().polling.adopt(run, task)
    await loop.clock.advanceBy(120_000)
    expect([calls, loop.polling.runs]).toEqual([0, [run]])
    loop.polling.stop()
    await loop.clock.advanceBy(120_000)
    expect(loop.polling.isOver).toBe(false)
    run.keeper.runEnded(run, null)
    await loop.clock.advanceBy(0)
    await loop.over
    expect([loop.polling.isOver, loop.written]).toEqual([true, [['0 ended never']]])
  })

  it('whose task is gone is waited for, and nothing is written of it', async () => {
    const loop = new Loop().task('1 11 * * *', () => undefined)
    const run = new Run(loop.tasks[0]!, nobody)
    loop.begin().polling.adopt(run, null)
    run.keeper.runEnded(run, null)
    await loop.stop()
    expect([loop.saves, loop.polling.runs]).toEqual([[], []])
  })

  it('is released to who asks, and the polling ends without it', async () => {
    const loop = new Loop().task('1 11 * * *', () => undefined)
    const [task] = loop.tasks as [ScheduledTask]
    const run = new Run(task, nobody)
    loop.begin().polling.adopt(run, task)
    loop.polling.stop()
    await loop.clock.advanceBy(0)
    expect(loop.polling.release()).toEqual([run])
    await loop.clock.advanceBy(0)
    await loop.over
    run.keeper.runEnded(run, null)
    expect([loop.polling.isOver, loop.saves]).toEqual([true, []])
  })
})

describe('a storage that fails', () => {
  it('is tried again after one second, then twice as long, and soon again after it worked', async () => {
    const loop = new Loop().task('* * * * *', () => undefined)
    loop.onSave = (count) => [1, 2, 3, 5].includes(count) && disk()
    await loop.begin().clock.advanceBy(60_000)
    const retries = loop.events.flatMap((event) =>
      event.type === 'StorageFailed' ? [shown(event.retryAt!.getTime())] : [],
    )
    expect(retries).toEqual(['10:01:01.000', '10:01:03.000', '10:01:07.000', '10:01:08.000'])
    await loop.stop()
  })

  it('is not waited for longer than it was to when the clock is set back', async () => {
    const loop = new Loop().task('1 10 * * *', () => undefined)
    loop.onSave = (count) => count === 1 && disk()
    await loop.begin().clock.advanceBy(30_000)
    loop.clock.step(-3_600_000)
    await loop.clock.advanceBy(61_000)
    expect(loop.written).toHaveLength(3)
    await loop.stop()
  })

  it('because another scheduler took over is asked for nothing more', async () => {
    let calls = 0
    const loop = new Loop().task('* * * * *', () => calls++)
    loop.onSave = (count) => {
      if (count === 3) throw new SupersededError('me', 'other')
    }
    await loop.begin().clock.advanceBy(600_000)
    expect([loop.saves.length, calls]).toEqual([3, 1])
    expect(loop.events.at(-1)).toMatchObject({ type: 'StorageFailed', retryAt: null })
    await loop.stop()
    expect(loop.polling.unrecorded).toEqual([])
    expect(loop.saves).toHaveLength(3)
  })
})
