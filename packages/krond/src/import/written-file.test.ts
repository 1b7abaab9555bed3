import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemFiles } from '@kron/command'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryHost, runOn } from '../../testing/command/memory-host.js'
import { replaceFile } from '../edit/replace-file.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-import-'))
afterAll(() => rmSync(folder, { recursive: true }))
const crontab = join(folder, 'crontab')
writeFileSync(crontab, 'PASSWORD=secret\n@daily x\n')

/** Imports with real files; `meanwhile` happens while the crontab is read. */
function imported(out: string, meanwhile: () => void, ...options: string[]) {
  const host = {
    ...memoryHost({ now: Date.UTC(2026, 2, 1), cwd: folder, uid: 0 }),
    files: {
      ...systemFiles,
      read(path: string, most: number) {
        meanwhile()
        return systemFiles.read(path, most)
      },
    },
    replaceFile,
  }
  const exitCode = runOn(['import', crontab, '--out', out, ...options], host)
  return { exitCode, stderr: host.output.stderr }
}

describe('the file that an import writes', () => {
  it('is for its owner only, also that of root: crontabs have secrets in their variables', () => {
    const out = join(folder, 'secret.krontab')
    expect(imported(out, () => undefined)).toEqual({ exitCode: 0, stderr: '' })
    expect(statSync(out).mode & 0o777).toBe(0o600)
  })

  it('never takes the place of one that was made meanwhile, unless it is to', () => {
    const out = join(folder, 'late.krontab')
    const meanwhile = () => writeFileSync(out, 'theirs')
    const { exitCode, stderr } = imported(out, meanwhile)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('was changed by somebody else just now, nothing was written')
    expect(readFileSync(out, 'utf8')).toBe('theirs')
    expect(imported(out, meanwhile, '--force').exitCode).toBe(0)
    expect(readFileSync(out, 'utf8')).toContain('name=x ')
  })
})
