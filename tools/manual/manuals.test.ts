import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readManifest, root } from '../package/published.ts'
import { manuals } from './manuals.ts'

const foldersOf = (files: ReadonlyMap<string, string>): string[] => [
  ...new Set([...files.keys()].map((path) => path.slice(0, path.indexOf('/')))),
]

/** After a change that is meant, `KRON_REFRESH_MANUAL=1` writes the new files. */
if (process.env['KRON_REFRESH_MANUAL'] === '1') {
  for (const { package: name, files } of manuals) {
    for (const folder of foldersOf(files)) {
      rmSync(`${root}/packages/${name}/${folder}`, { recursive: true, force: true })
      mkdirSync(`${root}/packages/${name}/${folder}`)
    }
    for (const [path, text] of files) writeFileSync(`${root}/packages/${name}/${path}`, text)
  }
}

const hasGroff = spawnSync('groff', ['--version']).status === 0
const hasBash = spawnSync('bash', ['--version']).status === 0
if (!hasGroff) console.warn('groff is not on this machine: pages are not rendered')
if (!hasBash) console.warn('bash is not on this machine: its scripts are not run')

describe.each(manuals)('the manual of @kron/$package', ({ package: name, files }) => {
  const folder = `${root}/packages/${name}`

  it('has every file as it is generated, and no other', () => {
    const committed = foldersOf(files).flatMap((each) =>
      readdirSync(`${folder}/${each}`).map((file) => `${each}/${file}`),
    )
    expect(committed.sort()).toEqual([...files.keys()].sort())
    const changed = [...files].filter(
      ([path, text]) => readFileSync(`${folder}/${path}`, 'utf8') !== text,
    )
    expect(changed.map(([path]) => path)).toEqual([])
  })

  it('is named by the package, so that npm installs its pages', () => {
    const { man } = readManifest(`packages/${name}/package.json`) as { man?: string[] }
    const pages = [...files.keys()].filter((path) => path.startsWith('man/'))
    expect(man?.toSorted()).toEqual(pages.map((path) => `./${path}`).sort())
  })

  it.skipIf(!hasGroff)('has pages that render without a warning', () => {
    for (const [path, input] of files) {
      if (!path.startsWith('man/')) continue
      const args = ['-man', '-Tutf8', '-ww', '-P-cbou']
      const { stdout, stderr } = spawnSync('groff', args, { input, encoding: 'utf8' })
      expect(stderr, path).toBe('')
      expect(stdout, path).toContain('EXIT STATUS')
      expect(stdout, `${path} breaks words with hyphens`).not.toContain('\u2010')
    }
  })
})

const filesOf = (name: string): ReadonlyMap<string, string> =>
  manuals.find((manual) => manual.package === name)!.files

it('the manual of krond promises what is kept: at most one start, and one outcome, for each period', () => {
  const files = filesOf('krond')
  for (const [path, text] of files) expect(text, path).not.toMatch(/exactly\s+once/i)
  const page = files.get('man/krond.8')!.replaceAll('\n', ' ')
  expect(page).toContain('starts each period at most once')
  expect(page).toMatch(/gets exactly one outcome: executed, skipped, missed or unschedulable/)
})

it('every program has a page and completes itself', () => {
  const paths = manuals.flatMap(({ files }) => [...files.keys()])
  for (const page of ['krontab.1', 'krond.8', 'kron.1', 'kronctl.1', 'kron-operator.8']) {
    const name = page.slice(0, -2)
    expect(paths).toContain(`man/${page}`)
    expect(paths).toContain(`man/${name}-completion${page.slice(-2)}`)
    for (const shell of ['bash', 'fish', 'zsh'])
      expect(paths).toContain(`completions/${name}.${shell}`)
  }
})

describe.skipIf(!hasBash)('in bash', () => {
  it.each([
    ['krond', 'krontab', 'lint --format ', 'text json'],
    ['krond', 'krontab', 'next --fr', '--from'],
    ['krond', 'krontab', 'rem', 'remove'],
    ['krond', 'krond', 'st', 'start stop status'],
    ['krond', 'krond', 'start --log-level ', 'debug info warn error'],
    ['krond', 'krond', 'start --max', '--max-running'],
    ['operator', 'kron-operator', 'man', 'manifests'],
    ['server', 'kron', 'run', 'runs run-now'],
    ['server', 'kron', 'runs ', 'list show cancel replay'],
    ['server', 'kron', 'runs --fol', '--follow'],
    ['server', 'kron', 'runs list --un', '--until'],
    ['server', 'kron', 'endpoints update x --conc', '--concurrency'],
    ['server', 'kron', 'keys list --format ', 'text json'],
  ])('%s completes %s %s to %s', (name, program, typed, expected) => {
    const body = `${filesOf(name).get(`completions/${program}.bash`)}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_${program.replaceAll('-', '_')}
echo "\${COMPREPLY[@]}"`
    const args = ['--norc', '-c', body, 'bash', program, ...typed.split(' ')]
    expect(spawnSync('bash', args, { encoding: 'utf8' })).toMatchObject({
      stdout: `${expected}\n`,
      stderr: '',
    })
  })
})
