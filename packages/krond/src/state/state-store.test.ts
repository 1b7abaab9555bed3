import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PersistenceError } from '@kron/core'
import { VirtualClock } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { type FaultPlan, FaultyDisk, MemoryDisk, systemDisk } from '../disk/index.js'
import type { JobState } from './job-state.js'
import { stateFileName } from './state-file-name.js'
import { StateStore } from './state-store.js'
import { emptyState, handled } from './transitions.js'

const folder = '/var/lib/krond'
const uid = 7
const clock = new VirtualClock(Date.parse('2026-03-01T02:32:20.500Z'))
const pathOf = (identity: string): string => `${folder}/${stateFileName(identity)}`
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A state of the job that no other number gives. */
function numbered(identity: string, number: number): JobState {
  const period = { nominal: number * 1000, outcome: 'missed', chosen: null } as const
  return handled(emptyState(identity), period, { at: 0, historyLength: 1 })
}

function make(plan: FaultPlan | null = null, memory = new MemoryDisk({ uid })) {
  const disk = new FaultyDisk(memory, plan)
  const open = (): StateStore => {
    const store = new StateStore({ disk, folder, uid, clock })
    store.open()
    return store
  }
  return { memory, disk, open }
}

describe('the name of a state file', () => {
  it('is the hash of the identity', () => {
    expect(stateFileName('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.json',
    )
  })
})

describe('the state folder', () => {
  it('is made for nobody else', () => {
    const { memory, open } = make()
    open()
    expect(memory.inspect(folder)).toMatchObject({ kind: 'folder', mode: 0o700, uid })
  })

  it.each([
    ['a file', 'file', 0o600, uid],
    ['a symbolic link', 'link', 0o777, uid],
    ['a device', 'other', 0o600, uid],
  ] as const)('is refused when it is %s', (_, kind, mode, owner) => {
    const { memory, open } = make()
    memory.makeFolder('/var/lib', 0o755)
    memory.plant(folder, { kind, mode, uid: owner })
    expect(open).toThrow(expect.objectContaining({ code: 'KRON_STATE_UNSAFE' }))
  })

  it.each([0o750, 0o701, 0o770, 0o777])('is refused when others may enter it: %o', (mode) => {
    const { memory, open } = make()
    memory.makeFolder(folder, mode)
    expect(open).toThrow(PersistenceError)
    expect(open).toThrow(expect.objectContaining({ code: 'KRON_STATE_UNSAFE' }))
  })

  it('is refused when somebody else owns it', () => {
    const { open } = make(null, new MemoryDisk({ uid: 8 }))
    expect(open).toThrow('"/var/lib/krond" must be owned by user 7, as whom we run')
  })

  it('keeps what is in it', () => {
    const { memory, open } = make()
    open()
    const kept = ['krond.lock', 'notes.tmp', stateFileName('a'), `${stateFileName('a')}.tmp`]
    for (const name of kept) memory.plant(`${folder}/${name}`)
    open()
    expect(memory.list(folder)).toEqual(kept)
  })
})

describe('a state store', () => {
  it('finds in a new life what was saved in the one before', async () => {
    const { memory, open } = make()
    const store = open()
    expect(store.load('a')).toEqual({ kind: 'new' })
    await store.save(numbered('a', 1))
    await store.save(numbered('a', 2))
    memory.crash(() => 0)
    expect(open().load('a')).toEqual({ kind: 'found', state: numbered('a', 2) })
    // The file of the save before waits to be used again.
    expect(memory.list(folder)).toEqual([stateFileName('a'), `${stateFileName('a')}.tmp`])
    expect(memory.inspect(pathOf('a'))?.mode).toBe(0o600)
  })

  it("works on the system's disk", async () => {
    const base = mkdtempSync(join(tmpdir(), 'kron-state-'))
    try {
      const disk = systemDisk()
      const own = process.getuid?.() ?? 0
      const open = (): StateStore => {
        const store = new StateStore({ disk, folder: `${base}/a/b`, uid: own, clock })
        store.open()
        return store
      }
      const identities = Array.from({ length: 50 }, (_, index) => `job ${index}`)
      const store = open()
      await Promise.all(identities.map((identity) => store.save(numbered(identity, 1))))
      const next = open()
      for (const identity of identities) {
        expect(next.load(identity)).toEqual({ kind: 'found', state: numbered(identity, 1) })
      }
      expect(disk.list(`${base}/a/b`)).toHaveLength(50)
    } finally {
      rmSync(base, { recursive: true })
    }
  })

  it('makes the calls of a save in their order', async () => {
    const { disk, open } = make()
    const store = open()
    disk.calls.length = 0
    const temporary = `${pathOf('a')}.tmp`
    const save = [
      { kind: 'create', path: temporary },
      { kind: 'write', path: temporary },
      { kind: 'sync', path: temporary },
      { kind: 'close', path: temporary },
      { kind: 'replace', path: temporary },
      { kind: 'syncFolder', path: folder },
    ]
    await store.save(numbered('a', 1))
    expect(disk.calls).toEqual([{ kind: 'syncFolder', path: folder }, ...save])
    disk.calls.length = 0
    await store.save(numbered('a', 2))
    expect(disk.calls).toEqual(save)
  })

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

  it.each([
    [1, false],
    [2, true],
  ])('believes a damaged file that names a period days ahead %i times: %s', (times, isBelieved) => {
    const { memory, open } = make()
    open()
    const now = clock.now().getTime()
    const ahead = Math.floor(now / 1000) * 1000 + 3 * 86_400_000
    const mention = `"PeriodID":"${new Date(ahead).toISOString().replace('.000', '')}"`
    memory.plant(pathOf('a'), { bytes: bytesOf(`{${Array(times).fill(mention).join()}`) })
    const handledThrough = isBelieved ? ahead : now
    expect(open().load('a')).toMatchObject({ kind: 'lost', handledThrough })
  })

  it('asks the disk nothing about a job that has no file', () => {
    const { disk, open } = make()
    const store = open()
    disk.calls.length = 0
    for (const identity of ['a', 'b', 'c']) expect(store.load(identity).kind).toBe('new')
    expect(disk.calls).toEqual([])
  })

  it('loads what it has saved itself', async () => {
    const store = make().open()
    await store.save(numbered('a', 1))
    expect(store.load('a')).toEqual({ kind: 'found', state: numbered('a', 1) })
  })

  it('saves one job in order, whatever the others do', async () => {
    const { memory, disk, open } = make()
    const store = open()
    const saved: string[] = []
    const saves = [1, 2, 3].flatMap((number) =>
      ['a', 'b'].map((identity) =>
        store.save(numbered(identity, number)).then(() => saved.push(`${identity}${number}`)),
      ),
    )
    await Promise.all(saves)
    for (const identity of ['a', 'b']) {
      const own = saved.filter((name) => name.startsWith(identity))
      expect(own).toEqual([1, 2, 3].map((number) => `${identity}${number}`))
      expect(open().load(identity)).toEqual({ kind: 'found', state: numbered(identity, 3) })
    }
    const creates = disk.calls.flatMap(({ kind }, index) => (kind === 'create' ? [index] : []))
    const renames = disk.calls.flatMap(({ kind }, index) => (kind === 'replace' ? [index] : []))
    expect(creates[1]).toBeLessThan(renames[0]!)
    expect(memory.list(folder)).toHaveLength(4)
  })

  it('serves many saves by few syncs of the folder, and opens few files at once', async () => {
    const { disk, open } = make()
    const store = open()
    const identities = Array.from({ length: 500 }, (_, index) => `job ${index}`)
    await Promise.all(identities.map((identity) => store.save(numbered(identity, 1))))
    const syncs = disk.calls.filter(({ kind }) => kind === 'syncFolder')
    expect(syncs.length).toBeLessThan(100)
    let [open_, most] = [0, 0]
    for (const { kind } of disk.calls) {
      if (kind === 'create') most = Math.max(most, ++open_)
      if (kind === 'close') open_--
    }
    expect(open_).toBe(0)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(32)
  })

  it('is idle when all saves have ended, failed ones too', async () => {
    const { open } = make({
      fault: { kind: 'refused', code: 'EIO' },
      call: 2,
      of: 'sync',
    })
    const store = open()
    let ended = 0
    const saves = ['a', 'b', 'c', 'a'].map((identity, index) =>
      store.save(numbered(identity, index)).finally(() => ended++),
    )
    const outcomes = Promise.allSettled(saves)
    await store.idle()
    expect(ended).toBe(4)
    expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(2)
    await store.idle()
  })
})

describe('a state file', () => {
  it.each([
    ['is a link', { kind: 'link' }],
    ['is a device', { kind: 'other' }],
    ['is owned by somebody else', { uid: 8 }],
    ['can be read by others', { mode: 0o640 }],
    ['can be written by others', { mode: 0o602 }],
    ['has a special bit', { mode: 0o4600 }],
  ] as const)('is refused when it %s', (_, planted) => {
    const { memory, open } = make()
    open()
    memory.plant(pathOf('a'), planted)
    const store = open()
    expect(() => store.load('a')).toThrow(PersistenceError)
    expect(() => store.load('a')).toThrow(expect.objectContaining({ code: 'KRON_STATE_UNSAFE' }))
  })

  it('that can not be read is an error, and stays as it is', () => {
    const plan = { fault: { kind: 'refused', code: 'EIO' }, call: 1, of: 'open' } as const
    const { memory, open } = make(plan)
    open()
    memory.plant(pathOf('a'), { bytes: bytesOf('{') })
    const details = { operation: 'read', path: pathOf('a'), errno: 'EIO' }
    const error = { code: 'KRON_PERSISTENCE', details: expect.objectContaining(details) }
    const store = open()
    expect(() => store.load('a')).toThrow(expect.objectContaining(error))
    expect(memory.list(folder)).toEqual([stateFileName('a')])
  })

  it('that has gone since the folder was listed is no state', async () => {
    const { memory, open } = make()
    await open().save(numbered('a', 1))
    const store = open()
    memory.remove(pathOf('a'))
    expect(store.load('a')).toEqual({ kind: 'new' })
  })
})

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
