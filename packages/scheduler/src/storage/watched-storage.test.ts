import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { Announcer, type SchedulerEvent } from '../event/index.js'
import { memoryStorage } from './memory-storage.js'
import type { Storage } from './storage.js'
import { watchedStorage } from './watched-storage.js'

/** A storage whose calls are answered when they are let go. */
function silent(more: Partial<Storage> = {}) {
  const clock = new VirtualClock(0)
  const events: SchedulerEvent[] = []
  const waiting: ((failure?: Error) => void)[] = []
  const answer = (): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push((failure) => (failure === undefined ? resolve() : reject(failure)))
    })
  const storage: Storage = { open: answer, change: answer, save: answer, close: answer, ...more }
  const announcer = new Announcer((event) => void events.push(event), {})
  const letGo = (failure?: Error): void => {
    for (const one of waiting.splice(0)) one(failure)
  }
  return { watched: watchedStorage(storage, clock, announcer), clock, events, letGo }
}

describe('a storage that is watched', () => {
  it.each([
    { operation: 'open', call: (storage: Storage) => storage.open() },
    { operation: 'initialize', call: (storage: Storage) => storage.change(() => null as never) },
    { operation: 'save', call: (storage: Storage) => storage.save('me', [], '') },
    { operation: 'close', call: (storage: Storage) => storage.close() },
  ])('is reported when $operation has no answer', async ({ operation, call }) => {
    const { watched, clock, events, letGo } = silent({ place: '/tasks.db' })
    const answered = call(watched)
    await clock.advanceBy(29_999)
    expect(events).toEqual([])
    await clock.advanceBy(1)
    expect(events).toEqual([
      {
        type: 'StorageUnresponsive',
        time: new Date(30_000),
        operation,
        place: '/tasks.db',
        silentMs: 30_000,
      },
    ])
    letGo()
    await clock.advanceBy(86_400_000)
    await answered
    expect([events.length, clock.pending]).toEqual([1, 0])
  })

  it('is reported less and less often, once an hour at least', async () => {
    const { watched, clock, events } = silent()
    void watched.open()
    await clock.advanceBy(5 * 3_600_000)
    const told = events.map((event) => ('silentMs' in event ? event.silentMs / 1000 : null))
    expect(told).toEqual([30, 90, 210, 450, 930, 1890, 3810, 7410, 11_010, 14_610])
    expect(events[0]).toMatchObject({ place: null })
  })

  it('gives answers and failures on, and leaves no timer', async () => {
    const failing = silent()
    const failed = failing.watched.open()
    await failing.clock.advanceBy(1000)
    failing.letGo(new Error('disk full'))
    await expect(failed).rejects.toThrow('disk full')
    await failing.clock.advanceBy(0)
    expect(failing.clock.pending).toBe(0)
    const { watched, clock } = silent({ own: async (whenInUse) => whenInUse === 'takeOver' })
    expect([await watched.own!('takeOver'), await watched.own!('refuse')]).toEqual([true, false])
    await clock.advanceBy(0)
    expect(clock.pending).toBe(0)
  })

  it('is called with what it needs, and has what it had', async () => {
    const { watched } = silent(memoryStorage())
    expect(Object.keys(watched).sort()).toEqual(['change', 'close', 'open', 'save'])
    await watched.open()
    await watched.change(() => ({
      schedulerId: 's',
      instanceId: 'me',
      watched: 'before',
      removed: [],
      added: [],
      replaced: [],
    }))
    await watched.save('me', [], 'after')
    await expect(watched.save('other', [], '')).rejects.toThrow('other')
    const seen: unknown[] = []
    await watched
      .change(({ tasks, ...stored }) => {
        seen.push({ ...stored, tasks: [...tasks] })
        throw new Error('only looking')
      })
      .catch(() => undefined)
    expect(seen).toEqual([{ schedulerId: 's', instanceId: 'me', watched: 'after', tasks: [] }])
  })

  it('keeps what its own check belongs to', async () => {
    const { watched } = silent({
      place: '/tasks.db',
      async own() {
        return this.place === '/tasks.db'
      },
    })
    expect([watched.place, await watched.own!('refuse')]).toEqual(['/tasks.db', true])
  })
})
