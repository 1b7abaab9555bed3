import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { systemDisk } from './system-disk.js'

const { fsync, fsyncSync } = fs
const base = fs.mkdtempSync(join(tmpdir(), 'kron-effects-'))
afterAll(() => fs.rmSync(base, { recursive: true }))

/** Calls of the system that are noted or held up; all others stay as they are. */
function instead(calls: Partial<typeof fs>): void {
  Object.assign(fs, calls)
  syncBuiltinESMExports()
}
afterEach(() => instead({ fsync, fsyncSync }))

const disk = systemDisk()
const folder = (): string => fs.mkdtempSync(join(base, 'x-'))

describe('a folder that is made', () => {
  const syncedBy = (work: () => void): number[] => {
    const synced: number[] = []
    instead({
      fsyncSync(descriptor) {
        synced.push(fs.fstatSync(descriptor).ino)
        fsyncSync(descriptor)
      },
    })
    work()
    return synced
  }
  const numberOf = (path: string): number => fs.statSync(path).ino

  it('has its name made durable, and so have all that were made above it', () => {
    const above = folder()
    const synced = syncedBy(() => disk.makeFolder(`${above}/a/b/c`, 0o700))
    const parents = [`${above}/a/b`, `${above}/a`, above]
    expect(synced).toEqual(parents.map(numberOf))
    const again = syncedBy(() => disk.makeFolder(`${above}/a/b/c`, 0o700))
    expect(again).toEqual([numberOf(`${above}/a/b`)])
  })

  it('has exactly the mode that was asked for, whatever files are born with', () => {
    const path = join(folder(), 'a')
    const before = process.umask(0o377)
    try {
      disk.makeFolder(path, 0o700)
    } finally {
      process.umask(before)
    }
    expect(fs.statSync(path).mode & 0o777).toBe(0o700)
  })
})

describe('a file that is synced', () => {
  it('is not said to be durable before the device says so, or if it fails', async () => {
    const file = await disk.create(join(folder(), 'a'), 0o600)
    const answers: fs.NoParamCallback[] = []
    instead({ fsync: ((_, done) => void answers.push(done)) as typeof fsync })
    let durable = false
    const synced = file.sync().then(() => {
      durable = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect([answers.length, durable]).toEqual([1, false])
    answers[0]!(null)
    await synced
    const failing = file.sync()
    answers[1]!(Object.assign(new Error('no'), { code: 'EIO' }))
    await expect(failing).rejects.toMatchObject({ code: 'EIO' })
    await file.close()
  })
})

describe('a file that is opened', () => {
  it('is described, and read no further than asked', () => {
    const path = join(folder(), 'a')
    fs.writeFileSync(path, 'x'.repeat(100), { mode: 0o600 })
    expect(disk.open(path, 10)).toMatchObject({ entry: { kind: 'file', size: 100 } })
    expect(disk.open(path, 10).bytes).toHaveLength(10)
    expect(disk.open(path, 200).bytes).toHaveLength(100)
  })

  const hasDescriptors = process.platform === 'linux'
  it.runIf(hasDescriptors)('does not stay open when another one takes its place', async () => {
    const openFiles = (): number => fs.readdirSync('/proc/self/fd').length
    const path = join(folder(), 'a')
    fs.writeFileSync(path, '')
    const before = openFiles()
    for (let count = 0; count < 50; count++) {
      fs.linkSync(path, `${path}${count}`)
      await (await disk.create(path, 0o600)).close()
    }
    expect(openFiles()).toBeLessThan(before + 50)
  })
})
