import { describe, expect, it } from 'vitest'
import { folderCycles } from './folder-cycles.ts'
import { sourceFile } from './source-file.ts'

/** Files of a package by what they import. */
const files = (imports: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(imports).map(([path, from]) =>
    sourceFile(`packages/x/src/${path}`, from.map((each) => `import '${each}'`).join('\n')),
  )

const cycles = (imports: Readonly<Record<string, readonly string[]>>) =>
  folderCycles(files(imports)).map(({ folders }) =>
    folders.map((each) => each.replace('packages/x/src/', '')),
  )

describe('folders', () => {
  it('may import each other in one direction', () => {
    const imports = { 'a/a.ts': ['../b/b.js', '../c/c.js'], 'b/b.ts': ['../c/c.js'], 'c/c.ts': [] }
    expect(cycles(imports)).toEqual([])
  })

  it('may have files that import each other', () => {
    expect(cycles({ 'a/a.ts': ['./b.js'], 'a/b.ts': ['./a.js'] })).toEqual([])
  })

  it('may know the rooms that are inside of them, and be known by those', () => {
    expect(cycles({ 'a/a.ts': ['./b/b.js'], 'a/b/b.ts': ['../a.js'] })).toEqual([])
  })

  it('are found when they import each other through a third', () => {
    const imports = { 'a/a.ts': ['../b/b.js'], 'b/b.ts': ['../c/c.js'], 'c/c.ts': ['../a/z.js'] }
    // Once as folders of the package, once as single folders.
    expect(cycles({ ...imports, 'a/z.ts': [] })).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ])
  })

  it('are found when only rooms of theirs import each other', () => {
    const imports = { 'a/in/x.ts': ['../../b/b.js'], 'b/b.ts': ['../a/out/y.js'], 'a/out/y.ts': [] }
    expect(cycles(imports)).toEqual([['a', 'b']])
  })

  it('are found next to each other inside of one folder', () => {
    const imports = { 'a/in/x.ts': ['../out/y.js'], 'a/out/y.ts': ['../in/z.js'], 'a/in/z.ts': [] }
    expect(cycles(imports)).toEqual([['a/in', 'a/out']])
  })

  it('come with the imports that close the circle', () => {
    const [cycle] = folderCycles(files({ 'a/a.ts': ['../b/b.js'], 'b/b.ts': ['../a/a.js'] }))
    expect(cycle!.imports).toEqual([
      'packages/x/src/a/a.ts imports packages/x/src/b/b.ts',
      'packages/x/src/b/b.ts imports packages/x/src/a/a.ts',
    ])
  })
})
