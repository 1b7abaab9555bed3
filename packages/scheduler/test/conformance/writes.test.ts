import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScheduler, memoryStorage, type Storage, sqliteStorage } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { changed, dumpOf } from './stored.js'

/** A storage, and the names of the tasks in each of its writes. */
function watched(): { storage: Storage; writes: string[][] } {
  const inner = memoryStorage()
  const writes: string[][] = []
  const storage = changed(inner, {
    save: (instanceId, records, watchedTime) => {
      writes.push(records.map(({ name }) => name))
      return inner.save(instanceId, records, watchedTime)
    },
  })
  return { storage, writes }
}

describe('what is written', () => {
  it('for a minute are the starts of that minute, in one transaction', async () => {
    const { storage, writes } = watched()
    const world = new World('2026-03-02T10:00:30Z', { storage })
    const scheduler = world.scheduler()
    const due = Array.from({ length: 500 }, (_, index) => `due ${index}`)
    const idle = Array.from({ length: 500 }, (_, index) => `idle ${index}`)
    await scheduler.initialize([
      ...due.map((name) => world.task(name, '1 * * * *', () => world.clock.sleep(1000))),
      ...idle.map((name) => world.task(name, '30 * * * *')),
    ])
    await world.until('2026-03-02T10:01:00Z')
    expect(writes).toEqual([due])
    await world.until('2026-03-02T10:01:59Z')
    // The ends come one by one, and are written together with whatever has ended by then.
    expect(writes.slice(1).flat().sort()).toEqual([...due].sort())
    await scheduler.stop()
  })

  it('in minutes in which nothing is due is nothing', async () => {
    const { storage, writes } = watched()
    const world = new World('2026-03-02T10:00:30Z', { storage })
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 0 1 1 *')])
    await world.minutes(120)
    expect(writes).toEqual([])
    await scheduler.stop()
  })

  it('for a task that is preserved is nothing', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const first = world.scheduler()
    await first.initialize([world.task('a', '5 * * * *'), world.task('b', '6 * * * *')])
    await first.stop()
    const changes: string[][] = []
    const storage = changed(world.storage, {
      change: (decide) =>
        world.storage.change((stored) => {
          const change = decide(stored)
          changes.push([...change.added, ...change.replaced].map(({ name }) => name))
          return change
        }),
    })
    const second = world.scheduler({ storage })
    await second.initialize([world.task('a', '5 * * * *'), world.task('b', '7 * * * *')])
    expect(changes).toEqual([['b']])
    await second.stop()
  })
})

describe('where it is written', () => {
  it('is the file of a SQLite storage, and a later scheduler reads it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kron-conformance-'))
    try {
      const path = join(folder, 'state.db')
      const world = new World('2026-03-02T10:00:00Z')
      const first = world.scheduler({ storage: sqliteStorage(path) })
      await first.initialize([world.task('a', '0 * * * *')])
      await world.settled()
      await first.stop()
      const { tasks } = await dumpOf(sqliteStorage(path))
      expect(tasks).toMatchObject([
        { name: 'a', lastAttemptAt: Date.parse('2026-03-02T10:00:00Z') },
      ])
      const second = world.scheduler({ storage: sqliteStorage(path) })
      await second.initialize([world.task('a', '0 * * * *')])
      await world.minutes(1)
      expect(world.attempts).toHaveLength(1)
      await second.stop()
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is kron-scheduler.db in the working folder where no storage is given', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kron-conformance-'))
    const before = process.cwd()
    try {
      process.chdir(folder)
      const scheduler = createScheduler({ clock: new World('2026-03-02T10:00:00Z').clock })
      await scheduler.initialize([])
      expect(await readdir(folder)).toContain('kron-scheduler.db')
      await scheduler.stop()
    } finally {
      process.chdir(before)
      await rm(folder, { recursive: true })
    }
  })
})
