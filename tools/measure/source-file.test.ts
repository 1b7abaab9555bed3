import { describe, expect, it } from 'vitest'
import { importedPaths, sourceFile } from './source-file.ts'

const text = `import { join } from 'node:path'
import {
  type A,
  B,
} from '../b/b.js'
import './effect.js'

export { C, type D } from './c.js'
export * from './d/index.js'

// import { no } from './no.js'
export const later = () => import('./later.js')
export { later as soon }
`

describe('a source file', () => {
  const file = sourceFile('packages/x/src/a/a.ts', text)

  it('has lines that import, however many a statement takes', () => {
    expect([file.lines, file.importLines]).toEqual([13, 8])
  })

  it('belongs to a package', () => {
    expect(file.package).toBe('x')
  })

  it('names the files that it imports, now or later, and none of a comment', () => {
    expect(importedPaths(file)).toEqual([
      'packages/x/src/b/b.ts',
      'packages/x/src/a/effect.ts',
      'packages/x/src/a/c.ts',
      'packages/x/src/a/d/index.ts',
      'packages/x/src/a/later.ts',
    ])
  })
})
