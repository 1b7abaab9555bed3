import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { replaceFile } from './replace-file.js'

const { fsyncSync, linkSync, renameSync } = fs
const folder = fs.mkdtempSync(join(tmpdir(), 'kron-durable-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

/** What is asked of the file system, in order, and done. */
function effectsOf(work: () => void): string[] {
  const effects: string[] = []
  const noting =
    <Given extends readonly never[]>(name: (...given: Given) => string, call: unknown) =>
    (...given: Given): unknown => {
      effects.push(name(...given))
      return (call as (...all: Given) => unknown)(...given)
    }
  const synced = (descriptor: number): string =>
    fs.fstatSync(descriptor).isDirectory() ? 'sync the folder' : 'sync the file'
  Object.assign(fs, {
    fsyncSync: noting(synced, fsyncSync),
    linkSync: noting(() => 'name the file', linkSync),
    renameSync: noting(() => 'rename the file', renameSync),
  })
  syncBuiltinESMExports()
  try {
    work()
  } finally {
    Object.assign(fs, { fsyncSync, linkSync, renameSync })
    syncBuiltinESMExports()
  }
  return effects
}

describe('a krontab that is put in place', () => {
  const path = join(folder, 'jobs.krontab')
  const modes = { fileMode: 0o600, folderMode: 0o700 }

  it('is on disk before it has its name, and then its name is', () => {
    const made = effectsOf(() => replaceFile(path, 'one', { before: null, ...modes }))
    expect(made).toEqual(['sync the file', 'name the file', 'sync the folder'])
    const replaced = effectsOf(() => replaceFile(path, 'two', { before: 'one', ...modes }))
    expect(replaced).toEqual(['sync the file', 'rename the file', 'sync the folder'])
    expect(fs.readFileSync(path, 'utf8')).toBe('two')
  })
})
