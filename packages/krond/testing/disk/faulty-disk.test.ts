import { describe, expect, it } from 'vitest'
import { describeDisk } from './disk-conformance.js'
import { type Fault, type FaultPlan, FaultyDisk } from './faulty-disk.js'
import { MemoryDisk } from './memory-disk.js'

function make(plan: FaultPlan | null = null) {
  const memory = new MemoryDisk()
  memory.makeFolder('/f', 0o700)
  return { memory, disk: new FaultyDisk(memory, plan) }
}

describeDisk('a faulty disk without faults', () => {
  const { memory, disk } = make()
  const plantLink = (path: string) => memory.plant(path, { kind: 'link' })
  return { disk, folder: '/f', uid: 0, plantLink }
})

const eio: Fault = { kind: 'refused', code: 'EIO' }
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const codes = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'ok'))

describe('a faulty disk', () => {
  it('fails the planned call of all, once', async () => {
    const { disk } = make({ fault: eio, call: 2 })
    const names = ['/f/a', '/f/b', '/f/c']
    const outcomes = await Promise.allSettled(names.map((name) => disk.create(name, 0o600)))
    expect(codes(outcomes)).toEqual(['ok', 'EIO', 'ok'])
    expect(disk.list('/f')).toEqual(['a', 'c'])
    expect(disk.calls.map(({ kind }) => kind)).toEqual(['create', 'create', 'create', 'list'])
  })

  it('fails the planned call of one kind, and all later ones of that kind', async () => {
    const fault: Fault = { kind: 'refused', code: 'ENOSPC' }
    const { disk } = make({ fault, call: 2, of: 'syncFolder', forever: true })
    await disk.create('/f/a', 0o600)
    const syncs = [1, 2, 3].map(() => disk.syncFolder('/f'))
    expect(codes(await Promise.allSettled(syncs))).toEqual(['ok', 'ENOSPC', 'ENOSPC'])
    await disk.rename('/f/a', '/f/b')
    expect(disk.list('/f')).toEqual(['b'])
  })

  it('fails synchronous calls too', () => {
    const { disk } = make({ fault: { kind: 'refused', code: 'EMFILE' }, call: 1 })
    expect(() => disk.list('/f')).toThrow(expect.objectContaining({ code: 'EMFILE', path: '/f' }))
    expect(disk.list('/f')).toEqual([])
  })

  it('can report the failure of a rename that took effect', async () => {
    const fault: Fault = { kind: 'done-but-failed', code: 'EIO' }
    const { disk } = make({ fault, call: 1, of: 'rename' })
    await disk.create('/f/a', 0o600)
    await expect(disk.rename('/f/a', '/f/b')).rejects.toMatchObject({ code: 'EIO' })
    expect(disk.list('/f')).toEqual(['b'])
  })

  it('writes half, and says so', async () => {
    const { disk } = make({ fault: { kind: 'short-write' }, call: 1, of: 'write' })
    const file = await disk.create('/f/a', 0o600)
    expect(await file.write(bytesOf('12345'))).toBe(2)
    expect(await file.write(bytesOf('345'))).toBe(3)
    expect(new TextDecoder().decode(disk.read('/f/a'))).toBe('12345')
  })

  it('lets a sync after a failed one succeed without an effect', async () => {
    const { memory, disk } = make({ fault: eio, call: 1, of: 'sync' })
    const file = await disk.create('/f/a', 0o600)
    await disk.syncFolder('/f')
    await file.write(bytesOf('12345'))
    await expect(file.sync()).rejects.toMatchObject({ code: 'EIO' })
    await file.sync()
    memory.crash(() => 0)
    expect(disk.read('/f/a')).toHaveLength(0)
  })
})
