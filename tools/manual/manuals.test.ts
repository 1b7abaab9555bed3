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
if (!hasGroff) console.warn('groff is not on this machine: pages are not rendered')

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
    }
  })
})
