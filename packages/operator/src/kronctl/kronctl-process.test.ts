import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { kronJobYaml } from './testing/samples.js'

const folder = mkdtempSync(join(tmpdir(), 'kronctl-'))
writeFileSync(join(folder, 'backup.yaml'), kronJobYaml('backup'))
afterAll(() => rmSync(folder, { recursive: true }))

function start(program: string, args: readonly string[], input = '') {
  const path = fileURLToPath(new URL(`../../bin/${program}.mjs`, import.meta.url))
  const env = { PATH: process.env['PATH'], HOME: folder }
  const options = { cwd: folder, encoding: 'utf8', env, input } as const
  return spawnSync(process.execPath, [path, ...args], options)
}

describe('the kronctl program', () => {
  it('works on a file without a cluster', () => {
    const { status, stdout } = start('kronctl', ['validate', '-f', 'backup.yaml', '--strict'])
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: '1 file, 1 KronJob, 0 errors, 0 warnings\n',
    })
  })

  it('reads standard input', () => {
    const { status, stdout } = start('kronctl', ['next', '-f', '-'], kronJobYaml('a', '0 3 * * *'))
    expect(status).toBe(0)
    expect(stdout).toMatch(/^default\/a {2}0 3 \* \* \*\n/)
  })

  it('says in a line that no cluster is configured', () => {
    const { status, stderr } = start('kronctl', ['next', 'backup'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^kronctl: no cluster is configured: .*\n$/)
  })

  it('is a plugin of kubectl as well', () => {
    const { status, stdout } = start('kubectl-kron', ['run', '--help'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Usage: kubectl kron run \[options\] <name>/)
  })
})
