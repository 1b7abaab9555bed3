import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manualFiles } from '@kron/command'
import { describe, expect, it } from 'vitest'
import { manualPrograms } from './programs.js'

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))
const folders = ['man', 'completions']
const files = manualFiles(manualPrograms())

/** After a change that is meant, `KRON_REFRESH_MANUAL=1` writes the new files. */
if (process.env['KRON_REFRESH_MANUAL'] === '1') {
  for (const folder of folders) {
    rmSync(join(packageFolder, folder), { recursive: true, force: true })
    mkdirSync(join(packageFolder, folder))
  }
  for (const [path, text] of files) writeFileSync(join(packageFolder, path), text)
}

const hasGroff = spawnSync('groff', ['--version']).status === 0
const hasBash = spawnSync('bash', ['--version']).status === 0
if (!hasGroff) console.warn('groff is not on this machine: pages are not rendered')
if (!hasBash) console.warn('bash is not on this machine: its scripts are not run')

describe('the manual in the package', () => {
  it('has every file and no other', () => {
    const committed = folders.flatMap((folder) =>
      readdirSync(join(packageFolder, folder)).map((name) => `${folder}/${name}`),
    )
    expect(committed.sort()).toEqual([...files.keys()].sort())
    expect(committed).toContain('man/krontab-lint.1')
    expect(committed).toContain('man/krond-start.8')
  })

  it.each([...files])('has %s as it is generated', (path, text) => {
    expect(readFileSync(join(packageFolder, path), 'utf8')).toBe(text)
  })

  it('promises what is kept: no more than one start, and one outcome, for each period', () => {
    for (const [path, text] of files) expect(text, path).not.toMatch(/exactly\s+once/i)
    const page = files.get('man/krond.8')!.replaceAll('\n', ' ')
    expect(page).toContain('starts each period at most once')
    expect(page).toMatch(/gets exactly one outcome: executed, skipped, missed or unschedulable/)
  })

  it.skipIf(!hasGroff)('has pages that render without a warning', () => {
    const pages = [...files].filter(([path]) => path.startsWith('man/'))
    for (const [path, input] of pages) {
      const args = ['-man', '-Tutf8', '-ww', '-P-cbou']
      const { stdout, stderr } = spawnSync('groff', args, { input, encoding: 'utf8' })
      expect(stderr, path).toBe('')
      expect(stdout, path).toContain('EXIT STATUS')
      expect(stdout, `${path} breaks words with hyphens`).not.toContain('\u2010')
    }
    expect(pages.length).toBeGreaterThan(10)
  })

  it.skipIf(!hasBash).each([
    ['krontab', 'lint --format ', 'text json'],
    ['krontab', 'next --fr', '--from'],
    ['krontab', 'rem', 'remove'],
    ['krond', 'st', 'start stop status'],
    ['krond', 'start --log-level ', 'debug info warn error'],
    ['krond', 'start --max', '--max-running'],
  ])('completes %s %s to %s', (program, typed, expected) => {
    const body = `${files.get(`completions/${program}.bash`)}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_${program}
echo "\${COMPREPLY[@]}"`
    const args = ['--norc', '-c', body, 'bash', program, ...typed.split(' ')]
    expect(spawnSync('bash', args, { encoding: 'utf8' })).toMatchObject({
      stdout: `${expected}\n`,
      stderr: '',
    })
  })
})
