import { expect, it } from 'vitest'
import { sourceFiles } from '../measure/source-file.ts'
import { root } from '../package/published.ts'

/** Where test doubles stand: the folders `testing` of packages, and the doors that lead to them. */
const reachesDoubles =
  /(?:from\s+|import\s*\(?\s*)['"](?:@kron\/[\w-]+\/testing|(?:\.\.\/)+testing\/[^'"]*)['"]/

it('lets no program load test doubles', () => {
  const found = sourceFiles(root)
    // Users test their own schedulers with these.
    .filter(({ path }) => !path.startsWith('packages/scheduler/src/testing/'))
    .filter(({ text }) => reachesDoubles.test(text))
  expect(found.map(({ path }) => path)).toEqual([])
})
