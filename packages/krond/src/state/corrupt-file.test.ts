import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/disk/memory-disk.js'
import {
  bytesOf,
  clock,
  folder,
  make,
  numbered,
  pathOf,
  uid,
} from '../../testing/state/faulty-store.js'
import { stateFileName } from './state-folder.js'
import { StateStore } from './state-store.js'

describe('a corrupt state file', () => {
  const copy = `${pathOf('a')}.corrupt.20260301T023220Z`

  function makeCorrupt(bytes = bytesOf('{"Version')) {
    const made = make()
    made.open()
    made.memory.plant(pathOf('a'), { bytes })
    return made
  }

  it('gets a second name and stays until it is replaced', async () => {
    const { memory, open } = makeCorrupt()
    const store = open()
    expect(store.load('a')).toMatchObject({ kind: 'lost', movedTo: copy, reason: 'it is not JSON' })
    expect(memory.read(pathOf('a'))).toEqual(memory.read(copy))
    await store.save(numbered('a', 5))
    memory.crash(() => 0)
    expect(memory.read(copy)).toEqual(bytesOf('{"Version'))
    expect(open().load('a')).toEqual({ kind: 'found', state: numbered('a', 5) })
  })

  it('never looks as if there was no state, wherever the replacement is cut short', async () => {
    for (let call = 1; call <= 14; call++) {
      for (let fates = 0; fates < 64; fates++) {
        const { memory } = makeCorrupt()
        const fault = { kind: 'refused', code: 'EIO' } as const
        const life = make({ fault, call, forever: true }, memory)
        const saved = (async () => {
          const store = life.open()
          if (store.load('a').kind === 'lost') await store.save(numbered('a', 5))
        })()
        const [outcome] = await Promise.allSettled([saved])
        let asked = 0
        memory.crash(() => ((fates >> asked++) & 1 ? 0.9 : 0))
        const { kind } = make(null, memory).open().load('a')
        if (outcome.status === 'fulfilled') expect(kind).toBe('found')
        else expect(['lost', 'found']).toContain(kind)
      }
    }
  })

  it('gets another name when there was one in the same second', () => {
    const { open } = makeCorrupt()
    const names = [open(), open(), open()].map((store) => store.load('a'))
    expect(names).toMatchObject([copy, `${copy}.1`, `${copy}.2`].map((movedTo) => ({ movedTo })))
  })

  it.each([
    [1000, `${copy}.1000`],
    [1001, null],
  ])('gets no name when %i are taken: %s is the last', (taken, movedTo) => {
    const { memory, open } = makeCorrupt()
    for (let count = 0; count < taken; count++) {
      memory.plant(count === 0 ? copy : `${copy}.${count}`)
    }
    const load = () => open().load('a')
    if (movedTo === null) expect(load).toThrow(`can't link "${pathOf('a')}": EEXIST`)
    else expect(load()).toMatchObject({ movedTo })
  })

  it('is an error when it can not get a second name', () => {
    const { memory } = makeCorrupt()
    const fault = { kind: 'refused', code: 'ENOSPC' } as const
    const { disk, open } = make({ fault, call: 1, of: 'link' }, memory)
    expect(() => open().load('a')).toThrow(`can't link "${pathOf('a')}": ENOSPC`)
    expect(disk.calls.filter(({ kind }) => kind === 'link')).toHaveLength(1)
  })

  it.each([200, 1024 * 1024 + 200])(
    'is none of a newer version, of %i bytes: that is refused, and nothing is moved',
    (size) => {
      const start = '{"Version":"2","Identity":"a","Checksum":"of another kind"}'
      const { memory, open } = makeCorrupt(bytesOf(start.padEnd(size)))
      const refused = expect.objectContaining({ code: 'KRON_STATE_INCOMPATIBLE' })
      expect(() => open().load('a')).toThrow(refused)
      expect(memory.list(folder)).toEqual([stateFileName('a')])
    },
  )

  it('is not even read when it is too large', () => {
    const { disk, open } = makeCorrupt(new Uint8Array(1024 * 1024 + 1))
    expect(open().load('a')).toMatchObject({ kind: 'lost', movedTo: copy })
    expect(disk.calls.some(({ kind }) => kind === 'read')).toBe(false)
  })
})

describe('what a corrupt state file has handled', () => {
  it('keeps a corrupt file as it was, however often the job is saved afterwards', async () => {
    const { memory, open } = make()
    open()
    memory.plant(pathOf('a'), { bytes: bytesOf('{"damaged') })
    const store = open()
    const loaded = store.load('a')
    if (loaded.kind !== 'lost') throw new Error('it is damaged')
    for (const number of [1, 2, 3]) await store.save(numbered('a', number))
    expect(memory.read(loaded.movedTo)).toEqual(bytesOf('{"damaged'))
    expect(open().load('a')).toEqual({ kind: 'found', state: numbered('a', 3) })
  })

  it('tells from the save before what a damaged file has handled, if the clock went back', async () => {
    const { memory, open } = make()
    const ahead = Math.floor(clock.now().getTime() / 1000) + 7200
    const store = open()
    await store.save(numbered('a', ahead))
    await store.save(numbered('a', ahead + 1))
    memory.plant(pathOf('a'), { bytes: bytesOf('{') })
    expect(open().load('a')).toMatchObject({ kind: 'lost', handledThrough: ahead * 1000 })
  })

  const day = 86_400_000
  it.each([
    [1, day, true],
    [1, day + 1000, false],
    [2, day + 1000, true],
    [2, 366 * day, true],
    [2, 366 * day + 1000, false],
  ])('believes a damaged file that names %i times a period %i ms ahead: %s', (times, ms, is) => {
    const { memory } = make()
    const now = Date.parse('2026-03-01T02:32:20Z')
    const open = () => {
      const store = new StateStore({ disk: memory, folder, uid, clock: new VirtualClock(now) })
      store.open()
      return store
    }
    open()
    const mention = `"PeriodID":"${new Date(now + ms).toISOString().replace('.000', '')}"`
    memory.plant(pathOf('a'), { bytes: bytesOf(`{${Array(times).fill(mention).join()}`) })
    const handledThrough = is ? now + ms : now
    expect(open().load('a')).toMatchObject({ kind: 'lost', handledThrough })
  })

  it.each([
    ['was written after now, by a clock that went back', 5000, 5000],
    ['was written before now', -5000, 0],
  ])('counts as handled what came until now, or until it %s', (_, writtenMs, throughMs) => {
    const now = clock.now().getTime()
    const memory = new MemoryDisk({ uid, now: () => now + writtenMs })
    const { open } = make(null, memory)
    open()
    memory.plant(pathOf('a'), { bytes: bytesOf('{') })
    expect(open().load('a')).toMatchObject({ kind: 'lost', handledThrough: now + throughMs })
  })
})
