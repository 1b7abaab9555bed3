import { describe, expect, it } from 'vitest'
import { contentProblems } from './content-rules.ts'
import type { Tarball } from './tarball.ts'

const manifest = {
  name: '@kron/a',
  version: '1.0.0',
  description: 'a',
  keywords: ['a'],
  homepage: 'h',
  bugs: 'b',
  repository: 'r',
  license: 'Apache-2.0',
  engines: { node: '>=20' },
  files: ['dist'],
  publishConfig: { access: 'public' },
  bin: { a: 'bin/a.mjs' },
}
const good = { 'README.md': '', LICENSE: '', 'bin/a.mjs': '', 'dist/a.js': '', 'dist/a.d.ts': '' }

function tarball(files: Record<string, string>, fields: object = {}): Tarball {
  const contents = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))
  return { file: 'a.tgz', manifest: { ...manifest, ...fields }, files: contents }
}

describe('a tarball', () => {
  it('with all that belongs into it and nothing else has no problem', () => {
    expect(contentProblems(tarball(good))).toEqual([])
  })

  it.each([
    ['dist/.tsbuildinfo', 'is a file of the compiler'],
    ['dist/a.test.js', 'is test code'],
    ['dist/store-conformance.js', 'is test code'],
    ['dist/a.js.map', 'is a source map'],
    ['src/a.ts', 'is TypeScript source'],
  ])('does not hold %s', (path, problem) => {
    const problems = contentProblems(tarball({ ...good, [path]: '' }))
    expect(problems.join('\n')).toContain(`${path} ${problem}`)
  })

  it('holds what its manifest names, and a licence', () => {
    const { LICENSE: _, 'bin/a.mjs': __, ...rest } = good
    expect(contentProblems(tarball(rest))).toEqual([
      'no LICENSE',
      'package.json names bin/a.mjs, which is not there',
    ])
  })

  it('does nothing when it is installed, and refers to no source map', () => {
    const files = { ...good, 'dist/a.js': '//# sourceMappingURL=a.js.map' }
    expect(contentProblems(tarball(files, { scripts: { postinstall: 'x' } }))).toEqual([
      'dist/a.js names a source map',
      'it runs postinstall when installed',
    ])
  })

  it('says what it is', () => {
    expect(contentProblems(tarball(good, { repository: undefined }))).toEqual([
      'package.json has no repository',
    ])
  })
})
