import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemFiles } from '@kron/command'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryHost, runInMemory, runOn } from '../../testing/command/memory-host.js'
import { replaceFile } from './replace-file.js'

const root = mkdtempSync(join(tmpdir(), 'kron-add-'))
afterAll(() => rmSync(root, { recursive: true }))

const job = ['@daily', '--name', 'backup', '--command', '/bin/backup']

describe('a krontab that is new', () => {
  const modesOf = (uid: number): number[] => {
    const path = join(root, `${uid}`, 'jobs.krontab')
    const host = { ...memoryHost({ now: 0, uid }), files: systemFiles, replaceFile }
    expect(runOn(['add', ...job, '--file', path], host)).toBe(0)
    return [path, dirname(path)].map((made) => statSync(made).mode & 0o777)
  }

  it('may be read by all when root makes it, and only by its user otherwise', () => {
    expect(modesOf(0)).toEqual([0o644, 0o755])
    expect(modesOf(1000)).toEqual([0o600, 0o700])
  })
})

describe('a krontab that grows', () => {
  it('is limited in bytes, not in characters', () => {
    const path = '/home/ada/x.krontab'
    const addTo = (text: string) =>
      runInMemory(['add', ...job, '--file', path], { files: { [path]: text } })
    expect(addTo(`#${'x'.repeat(500_000)}\n`)).toMatchObject({ exitCode: 0 })
    const { exitCode, stderr, written } = addTo(`#${'é'.repeat(524_270)}\n`)
    expect({ exitCode, written: written.size }).toEqual({ exitCode: 1, written: 0 })
    expect(stderr).toContain('a krontab must have at most 1048576 bytes')
  })
})
