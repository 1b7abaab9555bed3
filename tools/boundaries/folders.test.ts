import { expect, it } from 'vitest'
import { folderCycles } from '../measure/folder-cycles.ts'
import { sourceFiles } from '../measure/source-file.ts'
import { root } from '../package/published.ts'

it('lets no folders of a package import each other, directly or through others', () => {
  const files = sourceFiles(root)
  expect(files.length).toBeGreaterThan(500)
  const found = folderCycles(files).map(({ folders, imports }) => [folders.join(', '), ...imports])
  expect(found).toEqual([])
})
