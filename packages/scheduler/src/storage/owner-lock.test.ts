import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeOwnerLock } from './owner-lock.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-owner-'))
const like = join(folder, 'tasks.db')
const path = join(folder, 'tasks.db-owner')
beforeAll(() => writeFileSync(like, ''))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the lock of an owner', () => {
  it('leaves nothing but its file beside the database', () => {
    const lock = takeOwnerLock(path, like)
    expect(readdirSync(folder).sort()).toEqual(['tasks.db', 'tasks.db-owner'])
    lock?.release()
    expect(lock?.isNew).toBe(true)
  })

  it('that can not be taken is not mistaken for one that another process has', () => {
    const broken = join(folder, 'broken-owner')
    writeFileSync(broken, 'not a database, and not an empty file either'.repeat(100))
    expect(() => takeOwnerLock(broken, like)).toThrow('file is not a database')
  })

  const hasDescriptors = process.platform === 'linux'
  it.runIf(hasDescriptors)('does not stay open when it was not taken', () => {
    const broken = join(folder, 'broken-again')
    writeFileSync(broken, 'not a database'.repeat(100))
    const openFiles = (): number => readdirSync('/proc/self/fd').length
    const before = openFiles()
    for (let tries = 0; tries < 50; tries++) {
      expect(() => takeOwnerLock(broken, like)).toThrow('file is not a database')
    }
    expect(openFiles()).toBeLessThan(before + 25)
  })
})
