import {
  copyFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Scheduler, StorageLostError, sqliteStorage } from '@kron/scheduler'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { World } from './world.js'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-lost-'))
  file = join(folder, 'tasks.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A scheduler that has run a task each minute for two minutes. */
async function running(): Promise<{ world: World; scheduler: Scheduler }> {
  const world = new World('2026-03-02T10:00:00Z', { storage: sqliteStorage(file) })
  const scheduler = world.scheduler()
  await scheduler.initialize([world.task('a', '* * * * *')])
  await world.minutes(1)
  expect(world.attempts).toHaveLength(2)
  return { world, scheduler }
}

const losses: [what: string, lose: () => void, complaint: string][] = [
  ['deleted', () => rmSync(file), 'FILE was deleted'],
  ['renamed', () => renameSync(file, `${file}.old`), 'FILE was deleted'],
  [
    'replaced by a copy of it',
    () => {
      copyFileSync(file, `${file}.copy`)
      renameSync(`${file}.copy`, file)
    },
    'FILE was replaced by another file',
  ],
  [
    'replaced by an empty one',
    () => {
      rmSync(file)
      writeFileSync(file, '')
    },
    'FILE was replaced by another file',
  ],
  ['truncated', () => truncateSync(file, 0), 'FILE was truncated'],
  ['cut', () => truncateSync(file, statSync(file).size - 4096), 'FILE was truncated'],
  ['robbed of its log', () => rmSync(`${file}-wal`), 'FILE-wal was deleted'],
]

describe('a file that is lost while the scheduler runs', () => {
  it.each(losses)('since it was %s is told, and nothing runs on it', async (_, lose, complaint) => {
    const { world, scheduler } = await running()
    lose()
    await world.minutes(5)
    expect(world.attempts).toHaveLength(2)
    const [failed] = world.eventsOf('StorageFailed')
    expect(failed?.error).toBeInstanceOf(StorageLostError)
    expect(failed).toMatchObject({
      time: new Date('2026-03-02T10:02:00Z'),
      failure: { code: 'KRON_STORAGE_LOST' },
    })
    expect(failed?.failure.message).toContain(`${complaint.replace('FILE', file)} while it was in`)
    await scheduler.stop()
    expect(world.eventTypes().at(-1)).toBe('SchedulerStopped')
  })

  it('and comes back is used again', async () => {
    const { world, scheduler } = await running()
    renameSync(file, `${file}.old`)
    await world.minutes(2)
    renameSync(`${file}.old`, file)
    await world.minutes(2)
    expect(world.attempts.length).toBeGreaterThan(2)
    await scheduler.stop()
  })

  it('is begun again by stop and initialize', async () => {
    const { world, scheduler } = await running()
    rmSync(file)
    await world.minutes(2)
    await scheduler.stop()
    await scheduler.initialize([world.task('a', '* * * * *')])
    await world.minutes(1)
    expect(world.attempts.length).toBeGreaterThan(3)
    await scheduler.stop()
  })
})

describe('a file that is not lost', () => {
  it('is one that somebody vacuums', async () => {
    const { world, scheduler } = await running()
    const database = new Sqlite(file)
    database.exec('CREATE TABLE ballast (x)')
    database.prepare('INSERT INTO ballast VALUES (zeroblob(1000000))').run()
    database.pragma('wal_checkpoint(TRUNCATE)')
    await world.minutes(1)
    const before = statSync(file).size
    database.exec('DROP TABLE ballast; VACUUM')
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.close()
    expect(statSync(file).size).toBeLessThan(before)
    await world.minutes(2)
    expect(world.eventsOf('StorageFailed')).toEqual([])
    expect(world.attempts).toHaveLength(5)
    await scheduler.stop()
  })
})
