import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScheduler, Duration, type Registration, sqliteStorage } from '@kron/scheduler'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Child } from './child.js'

let folder: string
let database: string
let children: Child[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-owner-'))
  database = join(folder, 'tasks.db')
  children = []
})
afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()))
  rmSync(folder, { recursive: true })
})

interface About {
  readonly tasks?: readonly string[]
  readonly whenInUse?: 'refuse' | 'takeOver'
  readonly schedule?: string
  readonly database?: string
  /** A minute of the day; the clock of a process stands still. */
  readonly now?: string
}

function processOn({ tasks = ['a'], now = '10:00', ...about }: About = {}): Child {
  const all = { database, ...about, tasks, now: `2026-03-02T${now}:30Z` }
  const child = new Child('scheduler-process.mjs', JSON.stringify(all))
  children.push(child)
  return child
}

/** What it tells when it is to initialize. */
async function initialized(child: Child): Promise<unknown> {
  child.order('initialize')
  return child.next()
}

/** A process that is the owner, and whose tasks run. */
async function owner(about: About = {}): Promise<Child> {
  const child = processOn(about)
  expect(await initialized(child)).toBe('initialized')
  for (const task of about.tasks ?? ['a']) expect(await child.next()).toBe(`${task} starts, cron`)
  return child
}

function stored(table = 'task'): string[] {
  const opened = new Database(database, { readonly: true })
  const names = opened.prepare(`SELECT name FROM "${table}" ORDER BY name`).pluck().all()
  opened.close()
  return names as string[]
}

const refusal = (child: Child, schedule = 'default') => ({
  name: 'StorageInUseError',
  code: 'KRON_STORAGE_IN_USE',
  message: expect.stringContaining(`is in use by process ${child.id} on ${hostname()}`),
  details: { file: database, schedule, processId: child.id, host: hostname() },
})

describe('a second process on the file of one that lives', () => {
  it('is refused, and neither deletes nor runs the tasks of the first', async () => {
    const first = await owner({ tasks: ['a', 'b'] })
    const second = processOn({ tasks: ['c'], now: '10:05' })
    expect(await initialized(second)).toEqual(refusal(first))
    expect(stored()).toEqual(['a', 'b'])
    first.order('end')
    first.order('stop')
    expect(await first.next()).toBe('stopped')
  })

  it('is refused while the first one stops, and then finds no orphan', async () => {
    const first = await owner()
    first.order('stop')
    const second = processOn()
    expect(await initialized(second)).toEqual(refusal(first))
    first.order('end')
    expect(await first.next()).toBe('stopped')
    expect(await initialized(second)).toBe('initialized')
    second.order('stop')
    expect(await second.next()).toBe('stopped')
  })

  it('is refused through a link to the file as well', async () => {
    const first = await owner()
    const link = join(folder, 'link.db')
    symlinkSync(database, link)
    const second = processOn({ database: link })
    expect(await initialized(second)).toMatchObject({ code: 'KRON_STORAGE_IN_USE' })
    await first.kill()
  })

  it('is refused though somebody has deleted the lock file', async () => {
    const first = await owner()
    rmSync(`${database}-owner`)
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await initialized(processOn())).toEqual(refusal(first))
    }
    const successor = processOn({ whenInUse: 'takeOver', tasks: ['a', 'b'] })
    expect(await initialized(successor)).toBe('initialized')
    expect(await successor.next()).toBe('b starts, cron')
    await successor.kill()
    rmSync(`${database}-owner`)
    expect(await initialized(processOn())).toBe('initialized')
  })

  it('is the owner at once when the first one was killed, and starts its orphan', async () => {
    for (let life = 0; life < 3; life++) {
      const child = processOn()
      expect(await initialized(child)).toBe('initialized')
      expect(await child.next()).toBe(life === 0 ? 'a starts, cron' : 'a starts, orphaned')
      await child.kill()
    }
    expect(readdirSync(folder)).toContain('tasks.db-owner')
  })

  it('coexists with it on a schedule of its own, whose owner is its own', async () => {
    const first = await owner({ tasks: ['a'] })
    const second = await owner({ tasks: ['w'], schedule: 'web' })
    expect([stored(), stored('task-web')]).toEqual([['a'], ['w']])
    const third = processOn({ schedule: 'web' })
    expect(await initialized(third)).toEqual(refusal(second, 'web'))
    await first.kill()
    expect(await initialized(third)).toEqual(refusal(second, 'web'))
    await second.kill()
    third.order('initialize')
    expect(await third.next()).toBe('initialized')
  })
})

describe("a process that takes over ('takeOver')", () => {
  it('treats no start of the living one as an orphan, and that one starts nothing more', async () => {
    const first = await owner()
    const second = processOn({ whenInUse: 'takeOver', tasks: ['a', 'b'] })
    expect(await initialized(second)).toBe('initialized')
    expect(await second.next()).toBe('b starts, cron')
    first.order('end')
    expect(await first.next()).toBe('failed KRON_STORAGE_SUPERSEDED')
    second.order('end')
    second.order('stop')
    expect(await second.next()).toBe('stopped')
  })

  it('leaves no orphan of the living one behind for who comes after it', async () => {
    await owner()
    const second = processOn({ whenInUse: 'takeOver', tasks: ['a', 'b'] })
    expect(await initialized(second)).toBe('initialized')
    expect(await second.next()).toBe('b starts, cron')
    await Promise.all(children.map((child) => child.kill()))
    const third = processOn({ tasks: ['a', 'b'] })
    expect(await initialized(third)).toBe('initialized')
    expect(await third.next()).toBe('b starts, orphaned')
    third.order('end')
    third.order('stop')
    expect(await third.next()).toBe('stopped')
  })

  it('runs the minutes that have come since', async () => {
    await owner()
    const second = processOn({ whenInUse: 'takeOver', now: '10:01' })
    expect(await initialized(second)).toBe('initialized')
    expect(await second.next()).toBe('a starts, cron')
  })

  it('is the owner who lives, though the first one does as well', async () => {
    const first = await owner()
    const second = processOn({ whenInUse: 'takeOver', now: '10:01' })
    expect(await initialized(second)).toBe('initialized')
    expect(await second.next()).toBe('a starts, cron')
    expect(await initialized(processOn())).toEqual(refusal(second))
    await first.kill()
    expect(await initialized(processOn())).toEqual(refusal(second))
    await second.kill()
    expect(await initialized(processOn({ now: '10:01' }))).toBe('initialized')
  })

  it('and is killed has orphans, though the one that it took over from lives', async () => {
    await owner()
    for (const reason of ['cron', 'orphaned', 'orphaned']) {
      const next = processOn({ whenInUse: 'takeOver', now: '10:01' })
      expect(await initialized(next)).toBe('initialized')
      expect(await next.next()).toBe(`a starts, ${reason}`)
      await next.kill()
    }
  })

  it('from nobody who lives is an owner like any other', async () => {
    const first = await owner()
    await first.kill()
    const second = processOn({ whenInUse: 'takeOver' })
    expect(await initialized(second)).toBe('initialized')
    expect(await second.next()).toBe('a starts, orphaned')
    expect(readdirSync(folder).filter((name) => name.includes('-owner'))).toEqual([
      'tasks.db-owner',
    ])
  })
})

describe('a process', () => {
  const tasks = (...names: string[]): Registration[] =>
    names.map((name) => [name, '0 0 1 1 *', async () => undefined, Duration.minutes(1)])
  const scheduler = () =>
    createScheduler({ storage: sqliteStorage(database), timeZone: 'UTC', logger: {} })

  it('never refuses itself: its second scheduler takes over, and both must stop', async () => {
    const [one, two] = [scheduler(), scheduler()]
    await one.initialize(tasks('a'))
    await two.initialize(tasks('b'))
    expect(stored()).toEqual(['b'])
    await two.stop()
    const other = processOn()
    expect(await initialized(other)).toMatchObject({ code: 'KRON_STORAGE_IN_USE' })
    await one.stop()
    expect(await initialized(other)).toBe('initialized')
  })

  it('is no owner after an initialization that failed', async () => {
    const one = scheduler()
    await one.initialize(tasks('a'))
    await one.stop()
    const opened = new Database(database)
    opened.exec('INSERT INTO task SELECT 99, name, expression, retry_delay_ms FROM task')
    opened.close()
    const storedTwice = { code: 'KRON_TASK_STRUCTURE' }
    await expect(one.initialize(tasks('a'))).rejects.toMatchObject(storedTwice)
    expect(await initialized(processOn())).toMatchObject(storedTwice)
  })
})
