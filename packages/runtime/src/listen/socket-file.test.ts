import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { withSocketMode } from './socket-file.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-socket-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The permissions that a file is born with now. */
function modeOfNew(name: string): number {
  const path = join(folder, name)
  writeFileSync(path, '', { mode: 0o777 })
  return statSync(path).mode & 0o777
}

describe('what is made as a socket', () => {
  it('is born for its owner alone, and what is made later is not', () => {
    const before = process.umask(0o022)
    try {
      let born = 0
      withSocketMode(() => {
        born = modeOfNew('inside')
      })
      expect(born).toBe(0o600)
      expect(modeOfNew('after')).toBe(0o755)
      const fails = () => withSocketMode(() => statSync(join(folder, 'absent')))
      expect(fails).toThrow('ENOENT')
      expect(modeOfNew('after-failure')).toBe(0o755)
    } finally {
      process.umask(before)
    }
  })
})
