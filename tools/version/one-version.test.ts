import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readManifest, root } from '../package/published.ts'
import { versionPlaces, versionsIn, withVersion } from './version-places.ts'

const { version } = readManifest('package.json')
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

describe('the version of Kron', () => {
  it.each(versionPlaces().map((place) => [place.path, place] as const))(
    'is in %s',
    (path, place) => {
      expect(new Set(versionsIn(read(path), place))).toEqual(new Set([version]))
    },
  )

  it('is changed in a place and nowhere else', () => {
    const place = { path: 'a', around: ['"version": "*"', '"@kron/core": "*"'] }
    const text = '{"version": "0.1.0", "@kron/core": "0.1.0", "other": "0.1.0"}'
    expect(withVersion(text, place, '0.2.0-rc.1')).toBe(
      '{"version": "0.2.0-rc.1", "@kron/core": "0.2.0-rc.1", "other": "0.1.0"}',
    )
  })

  it('is in the names of tarballs that documents tell', () => {
    const names = read('docs/install.md').match(/kron-[a-z]+-\d+\.\d+\.\d+[^ ]*?\.tgz/g)!
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !name.endsWith(`-${version}.tgz`))).toEqual([])
  })
})
