import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SupersededError } from '../../src/errors/index.js'
import type { ScheduleChange, Storage } from '../../src/storage/storage.js'
import { failed, started, type TaskRecord } from '../../src/task/task-record.js'
import { Model, modelSteps } from './storage-model-conformance.js'
import { changeTo, contents, task, tasks } from './stored-conformance.js'

export interface StorageUnderTest {
  readonly storage: Storage
  /** What the next process would use: another object, if the state outlives the first. */
  next(): Storage
}

/** What every storage must do. `make` answers an empty one that is not open yet. */
export function describeStorage(name: string, make: () => StorageUnderTest): void {
  describe(`${name} as a storage`, () => {
    describeChange(make)
    describeRefusedChange(make)
    describeDecision(make)
    describeSave(make)
    describeRefusedSave(make)
    describeUse(make)
    describeModel(make)
  })
}

const empty = { schedulerId: null, instanceId: null, watched: null, tasks: [] }

async function opened(
  { storage }: StorageUnderTest,
  added: readonly TaskRecord[] = [],
): Promise<Storage> {
  await storage.open()
  if (added.length > 0) await storage.change(() => changeTo({ added }))
  return storage
}

function describeChange(make: () => StorageUnderTest): void {
  it('is empty at first', async () => {
    expect(await contents(await opened(make()))).toEqual(empty)
  })

  it('shows what was changed to who opens it next', async () => {
    const made = make()
    const storage = await opened(made, tasks(0, 3))
    const expected = {
      schedulerId: 'scheduler',
      instanceId: 'first',
      watched: 'watched',
      tasks: tasks(0, 3),
    }
    expect(await contents(storage)).toEqual(expected)
    await storage.close()
    const next = made.next()
    await next.open()
    expect(await contents(next)).toEqual(expected)
    await next.close()
  })

  it('removes, adds and replaces together, whatever number of each', async () => {
    const storage = await opened(make(), tasks(0, 3_000))
    const replaced = tasks(500, 1_750).map((record) => ({
      ...started(record, 60_000, 'an earlier one'),
      expression: '0 0 * * *',
      retryDelayMs: 0.5,
    }))
    const removed = tasks(0, 500).map(({ id }) => id)
    await storage.change(() => changeTo({ removed, added: tasks(3_000, 4_001), replaced }))
    const found = (await contents(storage)).tasks
    expect(found).toEqual([...replaced, ...tasks(1_750, 4_001)])
  })

  it('takes iterables that make their records one by one', async () => {
    const storage = await opened(make())
    function* added(): Generator<TaskRecord> {
      for (let id = 0; id < 450; id++) yield task(id)
    }
    await storage.change(() => changeTo({ added: added() }))
    expect((await contents(storage)).tasks).toEqual(tasks(0, 450))
  })

  it('may give the id of a removed task to another, and removes what is not there', async () => {
    const storage = await opened(make(), tasks(0, 2))
    await storage.change(() => changeTo({ removed: [1, 1, 77], added: [task(1, 'another')] }))
    expect((await contents(storage)).tasks).toEqual([task(0), task(1, 'another')])
  })

  it.each([
    ['a NUL', 'a\0b\0'],
    ['quotes', `'"\`--;?%_\\`],
    ['symbols outside of the first plane', '\u{1F552}\u{10FFFF}e\u0301'],
    ['line ends and spaces', ' \r\n\t\u00a0\u2028 '],
    ['10,000 characters', 'x\u{1F552}'.repeat(5_000)],
    ['a name that objects have', '__proto__'],
    ['digits', '0012e3'],
  ])('keeps text with %s exactly', async (_, text) => {
    const storage = await opened(make())
    const record = { ...task(0, text), expression: text, runningInstance: text }
    const change = { schedulerId: text, instanceId: text, watched: text, added: [record] }
    await storage.change(() => changeTo(change))
    const { added, ...rest } = change
    expect(await contents(storage)).toEqual({ ...rest, tasks: added })
  })

  it('keeps the greatest and the smallest numbers exactly', async () => {
    const storage = await opened(make())
    const latest = 8_640_000_000_000_000
    const record = {
      ...task(Number.MAX_SAFE_INTEGER),
      retryDelayMs: 0.1,
      lastAttemptAt: latest,
      lastSuccessAt: -latest,
      lastFailureAt: 0,
      pendingRetryUntil: 1_785_000_000_001,
    }
    await storage.change(() => changeTo({ added: [task(0), record] }))
    expect((await contents(storage)).tasks).toEqual([task(0), record])
    const saved = { ...record, lastAttemptAt: latest - 1 }
    await storage.save('first', [saved], 'watched')
    expect((await contents(storage)).tasks).toEqual([task(0), saved])
  })
}

function describeRefusedChange(make: () => StorageUnderTest): void {
  const halfway = new RangeError('halfway')
  function* failing(records: TaskRecord[]): Generator<TaskRecord> {
    yield* records
    throw halfway
  }
  const other = { schedulerId: 'other', instanceId: 'second', watched: 'other', removed: [699] }
  const replaced = tasks(0, 650).map((record) => ({ ...record, expression: '0 0 * * *' }))

  it.each<[string, () => Partial<ScheduleChange>]>([
    ['decide throws', () => failing([]).next().value],
    ['added throws halfway', () => ({ replaced, added: failing(tasks(700, 1_350)) })],
    ['replaced throws halfway', () => ({ replaced: failing(replaced), added: tasks(700, 701) })],
  ])('changes nothing when %s, and rejects with that very error', async (_, decide) => {
    const storage = await opened(make(), tasks(0, 700))
    const before = await contents(storage)
    const change = storage.change(() => changeTo({ ...other, ...decide() }))
    await expect(change).rejects.toBe(halfway)
    expect(await contents(storage)).toEqual(before)
    await storage.change(() => changeTo(other))
    expect(await contents(storage)).toMatchObject({ instanceId: 'second', tasks: tasks(0, 699) })
  })

  it.each<[string, Partial<ScheduleChange>]>([
    ['adds an id that is stored', { added: [task(3), task(1, 'again')] }],
    ['adds an id twice', { added: [task(3), task(3, 'again')] }],
    ['replaces an id that is not stored', { replaced: [task(1, 'new'), task(3)] }],
    ['replaces an id that it removes', { removed: [1], replaced: [task(1, 'new')] }],
  ])('changes nothing when the change %s', async (_, change) => {
    const storage = await opened(make(), tasks(0, 3))
    const before = await contents(storage)
    const decided = changeTo({ instanceId: 'second', ...change })
    await expect(storage.change(() => decided)).rejects.toBeInstanceOf(Error)
    expect(await contents(storage)).toEqual(before)
  })
}

function describeDecision(make: () => StorageUnderTest): void {
  it('lets decide look at some of the tasks only', async () => {
    const storage = await opened(make(), tasks(0, 2_500))
    await storage.change((stored) => {
      for (const first of stored.tasks) return changeTo({ removed: [(first as TaskRecord).id] })
      throw new Error('there is none')
    })
    expect((await contents(storage)).tasks).toHaveLength(2_499)
  })

  it('shows the tasks once, and throws rather than seem empty the second time', async () => {
    const storage = await opened(make(), tasks(0, 3))
    const change = storage.change((stored) => {
      expect([...stored.tasks]).toHaveLength(3)
      return changeTo({ instanceId: `${[...stored.tasks].length}` })
    })
    await expect(change).rejects.toThrow('only once')
    expect((await contents(storage)).instanceId).toBe('first')
  })

  it('shows the tasks only while decide runs', async () => {
    const storage = await opened(make(), tasks(0, 3))
    let late: Iterator<unknown> | undefined
    await storage.change((stored) => {
      late = stored.tasks[Symbol.iterator]()
      expect(late.next().done).toBe(false)
      return changeTo({})
    })
    expect(() => late!.next()).toThrow('while the change is decided')
  })

  it('refuses calls from inside decide, which would be undone with it', async () => {
    const storage = await opened(make(), tasks(0, 3))
    const inside: Promise<void>[] = []
    await storage.change(() => {
      inside.push(
        storage.save('first', [], 'inside'),
        storage.change(() => changeTo({})),
      )
      inside.push(storage.close())
      return changeTo({ watched: 'outside' })
    })
    for (const call of inside) await expect(call).rejects.toThrow('from inside a change')
    expect((await contents(storage)).watched).toBe('outside')
  })
}

function describeSave(make: () => StorageUnderTest): void {
  it('replaces the records of the same ids and no other, whatever their number', async () => {
    const storage = await opened(make(), tasks(0, 1_000))
    const records = tasks(100, 733)
      .reverse()
      .map((record) => failed(started(record, 60_000, 'first'), 61_000))
    await storage.save('first', records, 'watched')
    const expected = [...tasks(0, 100), ...records.toReversed(), ...tasks(733, 1_000)]
    expect((await contents(storage)).tasks).toEqual(expected)
  })

  it('replaces what was watched, also without records', async () => {
    const storage = await opened(make(), tasks(0, 1))
    await storage.save('first', [], 'since noon')
    expect((await contents(storage)).watched).toBe('since noon')
    await storage.save('first', [], '')
    expect((await contents(storage)).watched).toBe('')
  })

  it('may be repeated, since one that rejected may have been done', async () => {
    const storage = await opened(make(), tasks(0, 2))
    const record = started(task(1), 60_000, 'first')
    await storage.save('first', [record], 'seen')
    const once = await contents(storage)
    await storage.save('first', [record], 'seen')
    expect(await contents(storage)).toEqual(once)
  })

  it.each([2, 300])('keeps the last of %d records of one id', async (count) => {
    const storage = await opened(make(), tasks(0, 2))
    const records = Array.from({ length: count }, (_, n) => started(task(1), n, 'first'))
    await storage.save('first', records, 'watched')
    expect((await contents(storage)).tasks).toEqual([task(0), records.at(-1)])
  })

  it('does calls in the order in which they were made, awaited or not', async () => {
    const storage = await opened(make(), tasks(0, 1))
    const calls = Array.from({ length: 20 }, (_, n) =>
      storage.save('first', [started(task(0), n, 'first')], `${n}`),
    )
    calls.push(storage.change(() => changeTo({ instanceId: 'second', watched: 'second' })))
    const late = storage.save('first', [task(0)], 'late')
    await expect(late).rejects.toBeInstanceOf(SupersededError)
    await Promise.all(calls)
    const { watched, tasks: found } = await contents(storage)
    expect([watched, found[0]?.lastAttemptAt]).toEqual(['second', 19])
  })
}

function describeRefusedSave(make: () => StorageUnderTest): void {
  it('refuses an instance that was superseded, and changes nothing', async () => {
    const storage = await opened(make(), tasks(0, 2))
    await storage.change(() => changeTo({ instanceId: 'second' }))
    const before = await contents(storage)
    const save = storage.save('first', [started(task(0), 60_000, 'first')], 'mine')
    await expect(save).rejects.toBeInstanceOf(SupersededError)
    await expect(save).rejects.toMatchObject({
      details: { instanceId: 'first', currentInstanceId: 'second' },
    })
    expect(await contents(storage)).toEqual(before)
  })

  it('refuses everyone before the first change', async () => {
    const save = (await opened(make())).save('first', [], 'watched')
    await expect(save).rejects.toMatchObject({
      name: 'SupersededError',
      details: { instanceId: 'first', currentInstanceId: null },
    })
  })

  it.each([1, 199, 200, 450])('changes nothing when one id of %d is unknown', async (count) => {
    const storage = await opened(make(), tasks(0, 500))
    const before = await contents(storage)
    const records = tasks(0, count - 1).map((record) => started(record, 60_000, 'first'))
    const save = storage.save('first', [...records, task(777)], 'new')
    await expect(save).rejects.toThrow('no task with the id 777')
    expect(await contents(storage)).toEqual(before)
    await storage.save('first', records, 'new')
    expect((await contents(storage)).watched).toBe('new')
  })
}

function describeUse(make: () => StorageUnderTest): void {
  it('refuses calls while it is not open, and says so', async () => {
    const { storage } = make()
    const refused = async (): Promise<void> => {
      await expect(storage.change(() => changeTo({}))).rejects.toThrow('not open')
      await expect(storage.save('first', [], 'watched')).rejects.toThrow('not open')
    }
    await refused()
    await storage.open()
    await storage.close()
    await refused()
  })

  it('is not hurt by a close too many', async () => {
    const { storage } = make()
    await storage.close()
    await opened({ storage, next: () => storage }, tasks(0, 1))
    await storage.close()
    await storage.close()
    await storage.open()
    expect((await contents(storage)).tasks).toEqual(tasks(0, 1))
  })

  it('is there for all who opened it until the last has closed it', async () => {
    const storage = await opened(make(), tasks(0, 1))
    await storage.open()
    await storage.close()
    expect((await contents(storage)).tasks).toEqual(tasks(0, 1))
    await storage.close()
    await expect(storage.save('first', [], 'watched')).rejects.toThrow('not open')
  })

  it('needs no object to be called on', async () => {
    const { open, change, save, close } = make().storage
    await open()
    await change(() => changeTo({ added: tasks(0, 1) }))
    await expect(save('first', [task(0)], 'watched')).resolves.toBeUndefined()
    await close()
  })

  it('takes promises only, no turn of the event loop', async () => {
    const { storage } = make()
    let turned = false
    setImmediate(() => {
      turned = true
    })
    await storage.open()
    await storage.change(() => changeTo({ added: tasks(0, 1) }))
    await storage.save('first', [task(0)], 'seen')
    await storage.close()
    expect(turned).toBe(false)
  })
}

function describeModel(make: () => StorageUnderTest): void {
  it('does what a plain map would do', async () => {
    const property = fc.asyncProperty(modelSteps, async (steps) => {
      const made = make()
      let storage = await opened(made)
      const model = new Model()
      for (const next of steps) {
        if (next.do === 'reopen') {
          await storage.close()
          storage = made.next()
          await storage.open()
        } else {
          const isDone = await (next.do === 'change'
            ? storage.change(() => model.decided(next))
            : storage.save(next.owner, model.records(next), next.watched)
          ).then(
            () => true,
            () => false,
          )
          expect(isDone).toBe(model.apply(next))
        }
        expect(await contents(storage)).toEqual(model.contents())
      }
      await storage.close()
    })
    await fc.assert(property, { numRuns: 200, seed: 20_260_301 })
  })
}
