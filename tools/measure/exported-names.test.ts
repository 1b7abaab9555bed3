import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { exportedNames } from './exported-names.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kron-measure-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

it('counts what a package exports, and what others import of it', () => {
  const exports = { '.': { types: './dist/index.d.ts' }, './package.json': './package.json' }
  write('packages/x/package.json', JSON.stringify({ exports }))
  write(
    'packages/x/dist/index.d.ts',
    `export * from './a.js'\nexport { b, type B as C } from './b.js'\n`,
  )
  write('packages/x/dist/a.d.ts', 'export declare function a(): void\nexport interface A {}\n')
  write('packages/x/src/index.ts', `import { A } from '@kron/x'\n`)
  write('packages/y/package.json', '{}')
  write('packages/y/src/y.ts', `import { a as mine, type C } from '@kron/x'\n`)
  write('packages/y/src/y.test.ts', `import { b } from '@kron/x'\n`)
  expect(exportedNames(root)).toEqual([
    { package: 'x', names: ['A', 'C', 'a', 'b'], used: ['C', 'a'] },
    { package: 'y', names: [], used: [] },
  ])
})
