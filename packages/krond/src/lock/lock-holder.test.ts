import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tryFlock } from './flock.js'
import { lockHolder } from './lock-holder.js'

let folders: string[] = []
let descriptors: number[] = []
beforeEach(() => {
  folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'kron-holder-')))
  descriptors = folders.map((folder) => openSync(folder, 'r'))
})
afterEach(() => {
  for (const descriptor of descriptors) closeSync(descriptor)
  for (const folder of folders) rmSync(folder, { recursive: true })
})

describe('the holder of a lock, by what the kernel says', () => {
  it('is the process that has it', () => {
    tryFlock(descriptors[0]!, 'exclusive')
    expect(lockHolder(descriptors[0]!)).toBe(process.pid)
  })

  it('is nobody while the folder is only open', () => {
    expect(lockHolder(descriptors[0]!)).toBeNull()
  })

  it('is nobody who only looks', () => {
    tryFlock(descriptors[0]!, 'shared')
    expect(lockHolder(descriptors[0]!)).toBeNull()
  })

  it('is nobody who has the lock of another folder', () => {
    tryFlock(descriptors[1]!, 'exclusive')
    expect(lockHolder(descriptors[0]!)).toBeNull()
  })
})
