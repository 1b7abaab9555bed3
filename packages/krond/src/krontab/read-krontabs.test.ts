import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FileSource, systemFiles } from '@kron/command'
import { memoryFiles } from '@kron/command/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { krontabLimits } from './lines.js'
import { findKrontabs, readKrontabs } from './read-krontabs.js'

const line = (name: string) => `0 3 * * * name=${name} command=/x\n`

describe('krontabs of paths', () => {
  const files = memoryFiles({
    '/d/b.krontab': line('b'),
    '/d/a.krontab': line('a'),
    '/d/.hidden.krontab': line('h'),
    '/d/README.md': 'text',
    '/d/sub.krontab/c.krontab': line('c'),
    '/e/other.txt': line('o'),
  })

  it('are the files that end in .krontab of a folder, in order', () => {
    expect(findKrontabs(['/d'], files)).toEqual(['/d/a.krontab', '/d/b.krontab'])
  })

  it('are any file that is named, and each once', () => {
    expect(findKrontabs(['/e/other.txt', '/d/b.krontab', '/d'], files)).toEqual([
      '/e/other.txt',
      '/d/b.krontab',
      '/d/a.krontab',
    ])
  })

  it('must exist', () => {
    expect(() => findKrontabs(['/nowhere'], files)).toThrow(
      'can\'t read "/nowhere": no such file or folder',
    )
  })

  it('are read with their own problems', () => {
    const broken = memoryFiles({ '/a': line('a'), '/b': 'nonsense', '/c': line('c') })
    const read = readKrontabs(['/a', '/b', '/c'], broken)
    expect(read.map((file) => [file.jobs.length, file.problems.length])).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
    ])
  })
})

describe('all krontabs together', () => {
  it('have at most 100,000 jobs', () => {
    const text = Array.from({ length: 36_000 }, (_, i) => `@daily name=${i} command=/x`).join('\n')
    const paths = ['/a', '/b', '/c']
    const files = memoryFiles(Object.fromEntries(paths.map((path) => [path, text])))
    const read = readKrontabs(paths, files)
    expect(read.reduce((sum, file) => sum + file.jobs.length, 0)).toBe(krontabLimits.jobs)
    expect(read[2]!.problems).toMatchObject([{ code: 'KRON_FILE_LIMIT', line: 28_001 }])
  })
})

describe('a file', () => {
  const problemOf = (content: Uint8Array | string) =>
    readKrontabs(['/a'], memoryFiles({ '/a': content }))[0]!.problems[0]

  it('must be UTF-8, and the first byte that is not is pointed at', () => {
    const bytes = Buffer.concat([Buffer.from('# \ufffd é\n0 3 * é'), Buffer.from([0xe9, 0x20])])
    expect(problemOf(bytes)).toMatchObject({
      code: 'KRON_FILE_ENCODING',
      category: 'ConfigurationError',
      line: 2,
      column: 8,
    })
    const smile = Buffer.concat([Buffer.from('🙂'), Buffer.from([0xff])])
    expect(problemOf(smile)).toMatchObject({ line: 1, column: 3 })
    expect(problemOf(Uint8Array.of(0x61, 0xe2, 0x82))).toMatchObject({ line: 1, column: 2 })
  })

  it('may be as large as the limit and not a byte larger', () => {
    const full = '#'.repeat(60_000)
    const text = `${full}\n`.repeat(18).slice(0, krontabLimits.fileBytes)
    expect(problemOf(text)).toBeUndefined()
    expect(problemOf(`${text}\n`)).toMatchObject({ code: 'KRON_FILE_LIMIT', line: 1 })
  })

  it('that can not be read is a problem with a reason', () => {
    const refusing: FileSource = {
      ...memoryFiles({}),
      read: () => {
        throw Object.assign(new Error('no'), { code: 'EACCES' })
      },
    }
    const [file] = readKrontabs(['/a'], refusing)
    expect(file?.problems).toMatchObject([
      { code: 'KRON_FILE_UNREADABLE', message: 'can\'t read "/a": permission denied' },
    ])
  })
})

describe('a path that can not be looked at', () => {
  it('is refused with a reason', () => {
    const closed: FileSource = {
      ...memoryFiles({}),
      kindOf: () => {
        throw Object.assign(new Error('no'), { code: 'EACCES' })
      },
    }
    expect(() => findKrontabs(['/a'], closed)).toThrow('can\'t read "/a": permission denied')
  })
})

describe('the files of this machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'krontab-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('are told from folders and from what does not exist', () => {
    writeFileSync(join(folder, 'a.krontab'), line('a'))
    mkdirSync(join(folder, 'sub'))
    symlinkSync(join(folder, 'a.krontab'), join(folder, 'link.krontab'))
    expect(systemFiles.kindOf(join(folder, 'a.krontab'))).toBe('file')
    expect(systemFiles.kindOf(join(folder, 'link.krontab'))).toBe('file')
    expect(systemFiles.kindOf(join(folder, 'sub'))).toBe('folder')
    expect(systemFiles.kindOf(join(folder, 'nothing'))).toBe('missing')
    expect(systemFiles.kindOf('/dev/null')).toBe('other')
    expect(systemFiles.kindOf(`/${'x'.repeat(5000)}`)).toBe('missing')
    expect(systemFiles.kindOf('/a\0b')).toBe('missing')
    expect(systemFiles.kindOf(join(folder, 'a.krontab', 'b'))).toBe('missing')
    expect(findKrontabs([folder], systemFiles)).toHaveLength(2)
  })

  it('are read up to one byte beyond the limit', () => {
    const path = join(folder, 'long')
    writeFileSync(path, 'x'.repeat(100))
    chmodSync(path, 0o600)
    expect(systemFiles.read(path, 200)).toHaveLength(100)
    expect(systemFiles.read(path, 10)).toHaveLength(11)
  })
})
