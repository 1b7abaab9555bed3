import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const program = here('../bin/krontab.mjs')
const folder = mkdtempSync(join(tmpdir(), 'krontab-process-'))
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(() => {
  expect(existsSync(here('../dist/cli/krontab-program.js')), 'run npx tsc -b first').toBe(true)
  writeFileSync(join(folder, 'a.krontab'), '0 3 * * * @win(after,1h) name=a command=/bin/true\n')
  writeFileSync(join(folder, 'b.krontab'), 'nonsense\n')
})

function run(...args: string[]) {
  const env = { PATH: process.env['PATH'], HOME: folder }
  const options = { cwd: folder, env, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options)
  return { status, stdout, stderr }
}

describe('the krontab program', () => {
  it('prints what a schedule does', () => {
    const { status, stdout, stderr } = run(
      ...['next', '0 3 * * * @tz(Europe/Paris) @win(after,2h)'],
      ...['--from', '2026-03-01T00:00:00Z', '--limit', '1'],
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('2026-03-01T02:00:00Z  2026-03-01T03:50:51Z')
    expect(stdout).not.toContain('\u001b')
  })

  it('ends with the exit code of what it found', () => {
    expect(run('lint', 'a.krontab').status).toBe(0)
    expect(run('lint', 'b.krontab').status).toBe(2)
    expect(run('lint', 'missing.krontab').status).toBe(1)
    expect(run('next', 'nobody', '-f', 'a.krontab').status).toBe(1)
  })

  it('writes the chart', () => {
    const { status } = run('simulate', '-f', 'a.krontab', '--out', 'chart.svg')
    expect(status).toBe(0)
    expect(readFileSync(join(folder, 'chart.svg'), 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s)
    const refused = run('simulate', '-f', 'a.krontab', '--out', 'no/such/folder/x.svg')
    expect(refused.status).toBe(1)
    expect(refused.stderr).toBe('krontab: can\'t write "no/such/folder/x.svg": ENOENT\n')
  })

  it('says nothing when its reader goes away', () => {
    const line = `"${process.execPath}" "${program}" next "* * * * *" --limit 50000 | head -n 1`
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' })
    expect(stdout).toBe('* * * * *\n')
    expect(stderr).toBe('')
  })

  it('is the same each time', () => {
    const args = ['explain', 'a', '-f', 'a.krontab', '--at', '2026-03-01T12:00:00Z']
    expect(run(...args).stdout).toBe(run(...args).stdout)
  })
})
