import { describe, expect, it } from 'vitest'
import { parseExpression } from '../registration/expression.js'
import { newRecord } from '../task/task-record.js'
import { namedZone } from '../zone/index.js'
import { isAwaitedByRun } from './awaiting-run.js'
import { type Failure, Run } from './run.js'
import { ScheduledTask, TaskGroup } from './scheduled-task.js'
import { untilEnded } from './stop-wait.js'

const group = new TaskGroup(parseExpression('0 * * * *'), namedZone('UTC'))
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function runOf(callback: () => unknown) {
  const record = newRecord(0, { name: 'a', expression: '0 * * * *', retryDelayMs: 0 })
  const ends: { failure: Failure | null; hasEnded: boolean }[] = []
  const run = new Run(new ScheduledTask(record, group, callback), {
    runEnded: ({ hasEnded }, failure) => void ends.push({ failure, hasEnded }),
  })
  return { run, ends }
}

describe('a run', () => {
  const error = new Error('no')

  it.each<[string, () => unknown, Failure | null]>([
    ['answers something', () => 5, null],
    ['answers a promise', async () => 5, null],
    ['throws', () => Promise.reject(error), { error }],
    [
      'throws at once',
      () => {
        throw error
      },
      { error },
    ],
    ['throws nothing', () => Promise.reject(undefined), { error: undefined }],
  ])('whose callback %s ends as it must, once', async (_, callback, failure) => {
    const { run, ends } = runOf(callback)
    void run.execute()
    await turn()
    expect(ends).toEqual([{ failure, hasEnded: true }])
    expect([run.hasEnded, run.failure]).toEqual([true, failure])
  })

  it('goes on until the promise of its callback settles', async () => {
    let end = (): void => undefined
    const { run, ends } = runOf(() => new Promise<void>((resolve) => (end = resolve)))
    void run.execute()
    await turn()
    expect([run.hasEnded, ends]).toEqual([false, []])
    end()
    await turn()
    expect(ends).toHaveLength(1)
  })

  it('of a generator has failed, since nothing of it has run', async () => {
    const { run, ends } = runOf(function* () {
      yield 1
    })
    void run.execute()
    await turn()
    expect(ends[0]!.failure!.error).toBeInstanceOf(TypeError)
  })

  it('is the current one in its callback, but not outside and not after its end', async () => {
    const seen: (Run | null)[] = []
    let later = (): void => undefined
    const over = new Promise<void>((resolve) => (later = resolve))
    const { run } = runOf(async () => {
      seen.push(Run.current)
      await turn()
      seen.push(
        Run.current,
        Run.outside(() => Run.current),
      )
      void over.then(() => seen.push(Run.current))
    })
    void run.execute()
    expect(Run.current).toBeNull()
    await turn()
    await turn()
    await turn()
    expect(run.hasEnded).toBe(true)
    later()
    await turn()
    expect(seen).toEqual([run, run, null, null])
  })

  it('knows what it awaits, and leaves traces of errors as they were', async () => {
    const before = [Error.stackTraceLimit, Error.prepareStackTrace]
    const seen: boolean[] = []
    const ask = async (): Promise<void> => {
      await turn()
      seen.push(isAwaitedByRun())
    }
    const { run } = runOf(async () => {
      await ask()
      void ask()
    })
    void run.execute()
    for (let turns = 0; turns < 5; turns++) await turn()
    await ask()
    expect(seen).toEqual([true, false, false])
    expect([Error.stackTraceLimit, Error.prepareStackTrace]).toEqual(before)
  })
})

describe('who waits for runs', () => {
  const watch = (promise: Promise<void>): { done: boolean } => {
    const state = { done: false }
    void promise.then(() => {
      state.done = true
    })
    return state
  }
  const gated = () => {
    let end = (): void => undefined
    const { run } = runOf(() => new Promise<void>((resolve) => (end = resolve)))
    void run.execute()
    return { run, end: () => end() }
  }

  it('waits for all of them, and for none that has ended', async () => {
    const [one, other] = [gated(), gated()]
    const all = watch(untilEnded(null, [one.run, other.run]))
    one.end()
    await turn()
    expect(all.done).toBe(false)
    other.end()
    await turn()
    expect(all.done).toBe(true)
    expect(one.run.awaitedBy?.size).toBe(0)
    const none = watch(untilEnded(null, [one.run]))
    await turn()
    expect(none.done).toBe(true)
  })

  it('does not wait for itself, nor for who waits for it', async () => {
    const [one, other, third] = [gated(), gated(), gated()]
    const ofOne = watch(untilEnded(one.run, [one.run, other.run]))
    const ofThird = watch(untilEnded(third.run, [one.run]))
    await turn()
    expect([ofOne.done, ofThird.done]).toEqual([false, false])
    const ofOther = watch(untilEnded(other.run, [other.run, third.run]))
    await turn()
    // One waits for the other, that for the third, and that for the first: nobody could go on. So
    // the first does, and the others wait for it, one after the other.
    expect([ofOne.done, ofThird.done, ofOther.done]).toEqual([true, false, false])
    expect(one.run.stopWaits?.size).toBe(0)
    one.end()
    await turn()
    expect([ofThird.done, ofOther.done]).toEqual([true, false])
    third.end()
    await turn()
    expect(ofOther.done).toBe(true)
  })
})
