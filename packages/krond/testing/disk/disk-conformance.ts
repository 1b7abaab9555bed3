import { describe, expect, it } from 'vitest'
import type { Disk } from '../../src/disk/disk.js'

export interface DiskUnderTest {
  readonly disk: Disk
  /** An empty folder, by its absolute path. */
  readonly folder: string
  /** The owner of what is created. */
  readonly uid: number
  /** Puts a symbolic link there. */
  plantLink(path: string, target: string): void
}

type Make = () => DiskUnderTest

/** What every disk must do while the power is on. */
export function describeDisk(name: string, make: Make): void {
  describe(`${name} as a disk`, () => {
    describeFiles(make)
    describeNames(make)
    describeFolders(make)
    describeLinks(make)
  })
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

async function writeFile(disk: Disk, path: string, text: string, mode = 0o600): Promise<void> {
  const file = await disk.create(path, mode)
  let left = bytesOf(text)
  while (left.length > 0) left = left.subarray(await file.write(left))
  await file.sync()
  await file.close()
}

function describeFiles(make: Make): void {
  it('reads back what was written', async () => {
    const { disk, folder, uid } = make()
    await writeFile(disk, `${folder}/a`, 'one two')
    expect(textOf(disk.read(`${folder}/a`))).toBe('one two')
    const modifiedAt = expect.any(Number)
    const file = { kind: 'file', mode: 0o600, uid, size: 7, modifiedAt }
    expect(disk.inspect(`${folder}/a`)).toEqual(file)
  })

  it('appends one write to the other, and keeps none of the buffers it got', async () => {
    const { disk, folder } = make()
    const file = await disk.create(`${folder}/a`, 0o600)
    const buffer = bytesOf('abc')
    expect(await file.write(buffer)).toBe(3)
    buffer.set(bytesOf('xyz'))
    expect(await file.write(buffer.subarray(1))).toBe(2)
    await file.close()
    expect(textOf(disk.read(`${folder}/a`))).toBe('abcyz')
  })

  it('hands out bytes that the caller may change', async () => {
    const { disk, folder } = make()
    await writeFile(disk, `${folder}/a`, 'abc')
    disk.read(`${folder}/a`).fill(0)
    expect(textOf(disk.read(`${folder}/a`))).toBe('abc')
  })

  it.each([0o600, 0o666, 0o604])(
    'creates with exactly the mode that was asked for',
    async (mode) => {
      const { disk, folder } = make()
      await writeFile(disk, `${folder}/a`, '', mode)
      expect(disk.inspect(`${folder}/a`)?.mode).toBe(mode)
    },
  )

  it('empties a leftover and corrects its mode', async () => {
    const { disk, folder } = make()
    await writeFile(disk, `${folder}/a`, 'something long', 0o644)
    await writeFile(disk, `${folder}/a`, 'short', 0o600)
    expect(textOf(disk.read(`${folder}/a`))).toBe('short')
    expect(disk.inspect(`${folder}/a`)).toMatchObject({ mode: 0o600, size: 5 })
  })

  it('leaves nothing of a longer leftover, synced or not', async () => {
    const { disk, folder } = make()
    for (const text of ['', 'short']) {
      await writeFile(disk, `${folder}/a`, 'something long')
      const file = await disk.create(`${folder}/a`, 0o600)
      await file.write(bytesOf(text))
      await file.close()
      expect(textOf(disk.read(`${folder}/a`))).toBe(text)
    }
  })

  it('writes on behind what was synced', async () => {
    const { disk, folder } = make()
    await writeFile(disk, `${folder}/a`, 'something long')
    const file = await disk.create(`${folder}/a`, 0o600)
    await file.write(bytesOf('one'))
    await file.sync()
    expect(textOf(disk.read(`${folder}/a`))).toBe('one')
    await file.write(bytesOf(' two'))
    await file.close()
    expect(textOf(disk.read(`${folder}/a`))).toBe('one two')
  })

  it('refuses to read or create where a folder is', async () => {
    const { disk, folder } = make()
    expect(() => disk.read(folder)).toThrow(expect.objectContaining({ code: 'EISDIR' }))
    await expect(disk.create(folder, 0o600)).rejects.toMatchObject({ code: 'EISDIR' })
  })

  it('says ENOENT for what is not there', async () => {
    const { disk, folder } = make()
    const absent = expect.objectContaining({ code: 'ENOENT' })
    expect(disk.inspect(`${folder}/a`)).toBeNull()
    expect(disk.inspect(`${folder}/no/a`)).toBeNull()
    expect(() => disk.read(`${folder}/a`)).toThrow(absent)
    expect(() => disk.list(`${folder}/a`)).toThrow(absent)
    expect(() => disk.remove(`${folder}/a`)).toThrow(absent)
    expect(() => disk.link(`${folder}/a`, `${folder}/b`)).toThrow(absent)
    await expect(disk.create(`${folder}/no/a`, 0o600)).rejects.toEqual(absent)
    await expect(disk.rename(`${folder}/a`, `${folder}/b`)).rejects.toEqual(absent)
    await expect(disk.syncFolder(`${folder}/no`)).rejects.toEqual(absent)
  })
}

function describeNames(make: Make): void {
  it('replaces a file by another one that is renamed', async () => {
    const { disk, folder } = make()
    await writeFile(disk, `${folder}/a`, 'old')
    await writeFile(disk, `${folder}/a.tmp`, 'new')
    await disk.rename(`${folder}/a.tmp`, `${folder}/a`)
    await disk.syncFolder(folder)
    expect(textOf(disk.read(`${folder}/a`))).toBe('new')
    expect(disk.list(folder)).toEqual(['a'])
  })

  it('keeps a file under its second name when the first is replaced', async () => {
    const { disk, folder } = make()
    await writeFile(disk, `${folder}/a`, 'old')
    disk.link(`${folder}/a`, `${folder}/b`)
    await writeFile(disk, `${folder}/a.tmp`, 'new')
    await disk.rename(`${folder}/a.tmp`, `${folder}/a`)
    expect(textOf(disk.read(`${folder}/a`))).toBe('new')
    expect(textOf(disk.read(`${folder}/b`))).toBe('old')
  })

  it('replaces a file, and may leave the old one under the name of the new', async () => {
    const { disk, folder } = make()
    await writeFile(disk, `${folder}/a`, 'old')
    await writeFile(disk, `${folder}/a.tmp`, 'new')
    await disk.replace(`${folder}/a.tmp`, `${folder}/a`)
    await disk.syncFolder(folder)
    expect(textOf(disk.read(`${folder}/a`))).toBe('new')
    if (disk.inspect(`${folder}/a.tmp`) !== null) {
      expect(textOf(disk.read(`${folder}/a.tmp`))).toBe('old')
    }
    await writeFile(disk, `${folder}/a.tmp`, 'newer')
    await disk.replace(`${folder}/a.tmp`, `${folder}/a`)
    expect(textOf(disk.read(`${folder}/a`))).toBe('newer')
  })

  it('replaces what is not there yet', async () => {
    const { disk, folder } = make()
    await writeFile(disk, `${folder}/a.tmp`, 'new')
    await disk.replace(`${folder}/a.tmp`, `${folder}/a`)
    expect(textOf(disk.read(`${folder}/a`))).toBe('new')
    expect(disk.list(folder)).toEqual(['a'])
  })

  it('creates a new file rather than empty one that has another name', async () => {
    const { disk, folder } = make()
    await writeFile(disk, `${folder}/a`, 'kept')
    disk.link(`${folder}/a`, `${folder}/b`)
    await writeFile(disk, `${folder}/a`, 'other')
    expect(textOf(disk.read(`${folder}/a`))).toBe('other')
    expect(textOf(disk.read(`${folder}/b`))).toBe('kept')
  })

  it('leaves both names when one file is renamed to its other name', async () => {
    const { disk, folder } = make()
    await writeFile(disk, `${folder}/a`, 'x')
    disk.link(`${folder}/a`, `${folder}/b`)
    await disk.rename(`${folder}/a`, `${folder}/b`)
    expect([...disk.list(folder)].sort()).toEqual(['a', 'b'])
  })

  it('moves a file to another folder', async () => {
    const { disk, folder } = make()
    disk.makeFolder(`${folder}/sub`, 0o700)
    await writeFile(disk, `${folder}/a`, 'x')
    await disk.rename(`${folder}/a`, `${folder}/sub/b`)
    expect(disk.list(folder)).toEqual(['sub'])
    expect(textOf(disk.read(`${folder}/sub/b`))).toBe('x')
  })

  it('gives no second name that is taken', async () => {
    const { disk, folder } = make()
    await writeFile(disk, `${folder}/a`, 'a')
    await writeFile(disk, `${folder}/b`, 'b')
    const taken = expect.objectContaining({ code: 'EEXIST' })
    expect(() => disk.link(`${folder}/a`, `${folder}/b`)).toThrow(taken)
    expect(textOf(disk.read(`${folder}/b`))).toBe('b')
  })

  it('removes files, and no folders', async () => {
    const { disk, folder } = make()
    disk.makeFolder(`${folder}/sub`, 0o700)
    await writeFile(disk, `${folder}/a`, 'a')
    disk.remove(`${folder}/a`)
    expect(() => disk.remove(`${folder}/sub`)).toThrow(expect.objectContaining({ code: 'EISDIR' }))
    expect(disk.list(folder)).toEqual(['sub'])
  })
}

function describeFolders(make: Make): void {
  it('makes a folder and those above it', () => {
    const { disk, folder, uid } = make()
    disk.makeFolder(`${folder}/a/b/c`, 0o700)
    expect(disk.inspect(`${folder}/a/b/c`)).toMatchObject({ kind: 'folder', mode: 0o700, uid })
    expect(disk.list(`${folder}/a/b`)).toEqual(['c'])
  })

  it('leaves a folder that exists as it is', async () => {
    const { disk, folder } = make()
    disk.makeFolder(`${folder}/a`, 0o750)
    await writeFile(disk, `${folder}/a/x`, 'x')
    disk.makeFolder(`${folder}/a`, 0o700)
    expect(disk.inspect(`${folder}/a`)?.mode).toBe(0o750)
    expect(disk.list(`${folder}/a`)).toEqual(['x'])
  })

  it('makes no folder where a file is', async () => {
    const { disk, folder } = make()
    await writeFile(disk, `${folder}/a`, 'x')
    const taken = expect.objectContaining({ code: 'EEXIST' })
    expect(() => disk.makeFolder(`${folder}/a`, 0o700)).toThrow(taken)
  })
}

function describeLinks(make: Make): void {
  it('follows no symbolic link', async () => {
    const { disk, folder, plantLink } = make()
    await writeFile(disk, `${folder}/target`, 'precious')
    plantLink(`${folder}/a`, `${folder}/target`)
    const link = expect.objectContaining({ code: 'ELOOP' })
    expect(disk.inspect(`${folder}/a`)?.kind).toBe('link')
    expect(() => disk.read(`${folder}/a`)).toThrow(link)
    await expect(disk.create(`${folder}/a`, 0o600)).rejects.toEqual(link)
    expect(textOf(disk.read(`${folder}/target`))).toBe('precious')
  })

  it('replaces and removes the link, not what it points to', async () => {
    const { disk, folder, plantLink } = make()
    await writeFile(disk, `${folder}/target`, 'precious')
    await writeFile(disk, `${folder}/new`, 'new')
    plantLink(`${folder}/a`, `${folder}/target`)
    plantLink(`${folder}/b`, `${folder}/target`)
    await disk.rename(`${folder}/new`, `${folder}/a`)
    disk.remove(`${folder}/b`)
    expect(textOf(disk.read(`${folder}/a`))).toBe('new')
    expect(textOf(disk.read(`${folder}/target`))).toBe('precious')
    expect([...disk.list(folder)].sort()).toEqual(['a', 'target'])
  })
}
