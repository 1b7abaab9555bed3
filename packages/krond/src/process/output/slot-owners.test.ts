import {
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBelow } from '../../../testing/process/open-descriptors.js'
import { ownerKey, SlotOwners } from './slot-owners.js'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kron-owners-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

const first = { identity: '/etc/krond.d/a.krontab:first', nominal: Date.UTC(2026, 2, 1) }
const second = { identity: '/etc/krond.d/a.krontab:second', nominal: 8.64e15 }

describe('who has which slot', () => {
  it('is known to the next daemon, also where one has changed hands or is free', () => {
    const owners = SlotOwners.open(folder)
    expect(owners.read()).toEqual([])
    owners.write(0, first)
    owners.write(1, second)
    owners.write(2, first)
    owners.write(0, second)
    owners.write(1, null)
    owners.close()
    const next = SlotOwners.open(folder)
    expect(next.read()).toEqual([ownerKey(second), '', ownerKey(first)])
    next.close()
  })

  it('does not include a line that is not whole', () => {
    const owners = SlotOwners.open(folder)
    owners.write(0, first)
    owners.close()
    writeFileSync(join(folder, 'owners'), 'half a li', { flag: 'a' })
    const next = SlotOwners.open(folder)
    expect(next.read()).toEqual([ownerKey(first)])
    next.close()
  })

  it('is told by a key that no other execution has', () => {
    const keys = [first, second, { ...first, nominal: 0 }, { ...second, nominal: 0 }].map(ownerKey)
    expect(new Set(keys).size).toBe(4)
    expect(keys[0]).toBe(ownerKey({ ...first }))
  })

  it('is for us alone to read, and no longer open when it is closed', () => {
    const owners = SlotOwners.open(folder)
    expect(statSync(join(folder, 'owners')).mode & 0o777).toBe(0o600)
    expect(openBelow(folder)).toEqual(['owners'])
    owners.close()
    expect(openBelow(folder)).toEqual([])
  })

  it('is not written behind a link', () => {
    writeFileSync(join(folder, 'elsewhere'), 'theirs')
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'owners'))
    expect(() => SlotOwners.open(folder)).toThrow(/ELOOP/)
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('theirs')
  })
})
