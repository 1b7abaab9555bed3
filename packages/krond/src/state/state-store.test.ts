import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PersistenceError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { MemoryDisk } from '../../testing/disk/memory-disk.js'
import { passingDisk } from '../../testing/disk/passing-disk.js'
import {
  bytesOf,
  clock,
  folder,
  make,
  numbered,
  pathOf,
  uid,
} from '../../testing/state/faulty-store.js'
import { systemDisk } from '../disk/system-disk.js'
import { stateFileName } from './state-folder.js'
import { StateStore } from './state-store.js'

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
    ['a file', 'file', 0o600],
    ['a symbolic link', 'link', 0o777],
    ['a device or pipe', 'other', 0o600],
  ] as const)('is refused when it is %s', (name, kind, mode) => {
    const { memory, open } = make()
    memory.makeFolder('/var/lib', 0o755)
    memory.plant(folder, { kind, mode, uid })
    const message = `"${folder}" must be a folder, it is ${name}`
    expect(open).toThrow(expect.objectContaining({ code: 'KRON_STATE_UNSAFE', message }))
  })

  it('is refused when it is removed while it is looked at', () => {
    const { memory, disk } = make()
    const removed = passingDisk(disk, {
      act: (_, effect) => effect(),
      actNow: (name, effect) => (name === 'makeFolder' ? (undefined as never) : effect()),
    })
    expect(memory.inspect(folder)).toBeNull()
    const store = new StateStore({ disk: removed, folder, uid, clock })
    expect(() => store.open()).toThrow(`"${folder}" must be a folder, it is not there any more`)
  })

  it.each([0o750, 0o701, 0o770, 0o777])('is refused when others may enter it: %o', (mode) => {
    const { memory, open } = make()
    memory.makeFolder(folder, mode)
    expect(open).toThrow(PersistenceError)
    expect(open).toThrow(expect.objectContaining({ code: 'KRON_STATE_UNSAFE' }))
    const octal = `0${mode.toString(8)}`
    const message = `must be a folder with mode 0700, it is open to others (${octal})`
    expect(open).toThrow(message)
  })

  it('is refused when somebody else owns it', () => {
    const { open } = make(null, new MemoryDisk({ uid: 8 }))
    const message = 'must be owned by user 7, the user of this process, it is owned by user 8'
    expect(open).toThrow(`"/var/lib/krond" ${message}`)
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

  it('lets a save wait for one that is under way, also after an earlier one has ended', async () => {
    const { disk, open } = make()
    const store = open()
    const [first, second] = [store.save(numbered('a', 1)), store.save(numbered('a', 2))]
    await first
    await Promise.all([second, store.save(numbered('a', 3))])
    const steps = disk.calls.map(({ kind }) => kind)
    const one = ['create', 'replace']
    expect(steps.filter((kind) => one.includes(kind))).toEqual([...one, ...one, ...one])
    expect(open().load('a')).toEqual({ kind: 'found', state: numbered('a', 3) })
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
  const regular = 'must be a regular file, it is'
  const weaker = 'must be a file with mode 0600, it is one with mode'
  it.each([
    [`${regular} a symbolic link`, { kind: 'link' }],
    [`${regular} a device or pipe`, { kind: 'other' }],
    ['must be owned by user 7, the user of this process, it is owned by user 8', { uid: 8 }],
    [`${weaker} 0640`, { mode: 0o640 }],
    [`${weaker} 0602`, { mode: 0o602 }],
    [`${weaker} 0700`, { mode: 0o700 }],
    [`${weaker} 04600`, { mode: 0o4600 }],
  ] as const)('%s: otherwise it is refused', (message, planted) => {
    const { memory, open } = make()
    open()
    memory.plant(pathOf('a'), planted)
    const store = open()
    expect(() => store.load('a')).toThrow(PersistenceError)
    expect(() => store.load('a')).toThrow(
      expect.objectContaining({
        code: 'KRON_STATE_UNSAFE',
        message: `"${pathOf('a')}" ${message}`,
      }),
    )
  })

  it('may be readable for its owner alone', async () => {
    const { memory, open } = make()
    await open().save(numbered('a', 1))
    const bytes = memory.read(pathOf('a'))
    memory.plant(pathOf('a'), { bytes, mode: 0o400 })
    expect(open().load('a').kind).toBe('found')
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
