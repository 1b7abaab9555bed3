import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { replaceFile } from './replace-file.js'

const root = mkdtempSync(join(tmpdir(), 'kron-edit-'))
afterAll(() => rmSync(root, { recursive: true }))

let folder = ''
let path = ''
let made = 0
beforeEach(() => {
  folder = join(root, `f${made++}`, 'krond')
  path = join(folder, 'jobs.krontab')
})

const modes = { fileMode: 0o600, folderMode: 0o700 }
const modeOf = (of: string): number => statSync(of).mode & 0o777

describe('putting a file in place', () => {
  it('makes it and its folder, with exactly these modes', () => {
    const umask = process.umask(0o077)
    try {
      replaceFile(path, 'text', { before: null, fileMode: 0o644, folderMode: 0o700 })
    } finally {
      process.umask(umask)
    }
    expect(readFileSync(path, 'utf8')).toBe('text')
    expect([modeOf(path), modeOf(folder)]).toEqual([0o644, 0o700])
  })

  it('keeps the mode of one that exists, and leaves nothing beside it', () => {
    replaceFile(path, 'old', { before: null, ...modes })
    chmodSync(path, 0o640)
    replaceFile(path, 'new é', { before: 'old', ...modes })
    expect(readFileSync(path, 'utf8')).toBe('new é')
    expect(modeOf(path)).toBe(0o640)
    expect(readdirSync(folder)).toEqual(['jobs.krontab'])
  })

  it('refuses to write over what somebody else wrote meanwhile', () => {
    replaceFile(path, 'theirs', { before: null, ...modes })
    expect(() => replaceFile(path, 'ours', { before: null, ...modes })).toThrow('just now')
    expect(() => replaceFile(path, 'ours', { before: 'old', ...modes })).toThrow('just now')
    expect(readFileSync(path, 'utf8')).toBe('theirs')
    expect(readdirSync(folder)).toEqual(['jobs.krontab'])
    replaceFile(path, 'ours', modes)
    expect(readFileSync(path, 'utf8')).toBe('ours')
  })

  it('refuses a symbolic link, and what is no file', () => {
    replaceFile(path, 'x', { before: null, ...modes })
    const link = join(folder, 'link.krontab')
    symlinkSync(path, link)
    expect(() => replaceFile(link, 'y', modes)).toThrow('a symbolic link, which krond refuses')
    expect(() => replaceFile(folder, 'y', modes)).toThrow('no regular file')
    expect(readFileSync(path, 'utf8')).toBe('x')
  })

  it('replaces what a crash left', () => {
    replaceFile(path, 'x', { before: null, ...modes })
    writeFileSync(join(folder, `.jobs.krontab.${process.pid}.new`), 'left')
    replaceFile(path, 'y', { before: 'x', ...modes })
    expect(readdirSync(folder)).toEqual(['jobs.krontab'])
  })

  const isRoot = process.getuid?.() === 0
  if (!isRoot) console.warn('not root: keeping the owner of a file is not tested')
  it.runIf(isRoot)('keeps the owner', () => {
    replaceFile(path, 'x', { before: null, ...modes })
    chownSync(path, 65534, 65534)
    replaceFile(path, 'y', { before: 'x', ...modes })
    expect(statSync(path)).toMatchObject({ uid: 65534, gid: 65534 })
  })
})
