import { describe, expect, it } from 'vitest'
import { describeDisk } from './disk-conformance.js'
import { MemoryDisk } from './memory-disk.js'

function make() {
  const disk = new MemoryDisk({ uid: 7 })
  disk.makeFolder('/f', 0o700)
  const plantLink = (path: string) => disk.plant(path, { kind: 'link', mode: 0o777 })
  return { disk, folder: '/f', uid: 7, plantLink }
}

describeDisk('a memory disk', make)

const lose = () => 0
const tear = () => 0.5
const keep = () => 0.999
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (disk: MemoryDisk, path: string): string => new TextDecoder().decode(disk.read(path))

/** `/f/a` is durable with "old"; `/f/b` has that name durably, but not what is in it. */
async function withUnsynced(text: string) {
  const { disk } = make()
  disk.plant('/f/a', { bytes: bytesOf('old') })
  const file = await disk.create('/f/b', 0o600)
  await disk.syncFolder('/f')
  await file.write(bytesOf(text))
  return { disk, file }
}

describe('a memory disk that loses power', () => {
  it('loses contents that were not synced', async () => {
    const { disk } = await withUnsynced('12345678')
    disk.crash(lose)
    expect(textOf(disk, '/f/b')).toBe('')
    expect(textOf(disk, '/f/a')).toBe('old')
  })

  it('keeps a prefix of contents that are torn, after all that was synced', async () => {
    const { disk, file } = await withUnsynced('12345678')
    await file.sync()
    await file.write(bytesOf('abcd'))
    disk.crash(tear)
    expect(textOf(disk, '/f/b')).toBe('12345678ab')
  })

  it('may keep what was not synced', async () => {
    const { disk } = await withUnsynced('12345678')
    disk.crash(keep)
    expect(textOf(disk, '/f/b')).toBe('12345678')
  })

  it('keeps what was synced', async () => {
    const { disk, file } = await withUnsynced('12345678')
    await file.sync()
    disk.crash(lose)
    expect(textOf(disk, '/f/b')).toBe('12345678')
  })

  it('may bring back what a leftover held before it was emptied', async () => {
    const { disk } = make()
    disk.plant('/f/a', { bytes: bytesOf('old contents') })
    const file = await disk.create('/f/a', 0o600)
    await file.write(bytesOf('new'))
    disk.crash(lose)
    expect(textOf(disk, '/f/a')).toBe('old contents')
  })

  it('undoes creation, renaming, linking and removal that were not synced', async () => {
    const { disk } = make()
    for (const name of ['a', 'b', 'c']) disk.plant(`/f/${name}`, { bytes: bytesOf(name) })
    await disk.create('/f/new', 0o600)
    await disk.rename('/f/a', '/f/b')
    disk.link('/f/c', '/f/d')
    disk.remove('/f/c')
    expect(disk.list('/f')).toEqual(['b', 'new', 'd'])
    disk.crash(lose)
    expect(disk.list('/f')).toEqual(['a', 'b', 'c'])
    expect(textOf(disk, '/f/b')).toBe('b')
  })

  it('keeps names that were synced, with contents that were not', async () => {
    const { disk } = make()
    const file = await disk.create('/f/a.tmp', 0o600)
    await file.write(bytesOf('new'))
    await disk.rename('/f/a.tmp', '/f/a')
    await disk.syncFolder('/f')
    disk.crash(lose)
    expect(disk.list('/f')).toEqual(['a'])
    expect(textOf(disk, '/f/a')).toBe('')
  })

  it('decides on each change of a name by itself', async () => {
    const seen = new Set<string>()
    for (let fates = 0; fates < 8; fates++) {
      const { disk } = make()
      disk.plant('/f/a', { bytes: bytesOf('old') })
      await disk.create('/f/a.tmp', 0o600)
      await disk.rename('/f/a.tmp', '/f/a')
      disk.link('/f/a', '/f/b')
      let asked = 0
      disk.crash(() => ((fates >> asked++) & 1 ? 0.9 : 0))
      seen.add(`${textOf(disk, '/f/a')}: ${[...disk.list('/f')].sort().join(' ')}`)
    }
    expect([...seen].sort()).toEqual([
      ': a',
      ': a b',
      'old: a',
      'old: a a.tmp',
      'old: a a.tmp b',
      'old: a b',
    ])
  })

  it('has nothing more to lose after a crash', async () => {
    const { disk } = await withUnsynced('12345678')
    await disk.create('/f/new', 0o600)
    disk.crash(keep)
    disk.crash(lose)
    expect(disk.list('/f')).toEqual(['a', 'b', 'new'])
    expect(textOf(disk, '/f/b')).toBe('12345678')
  })
})
