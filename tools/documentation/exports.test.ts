import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exportedNames } from '../measure/exported-names.ts'
import { root } from '../package/published.ts'

/** Where what a library exports is described. */
const pages = {
  core: 'docs/core.md',
  runtime: 'packages/runtime/README.md',
  scheduler: 'docs/scheduler.md',
} as const

describe.each(Object.entries(pages))('@kron/%s', (name, page) => {
  const { names } = exportedNames(root).find((each) => each.package === name)!
  const words = new Set(readFileSync(`${root}/${page}`, 'utf8').match(/\w+/g))

  it('exports something', () => {
    expect(names.length).toBeGreaterThan(10)
  })

  it(`exports nothing that ${page} does not name`, () => {
    expect(names.filter((each) => !words.has(each))).toEqual([])
  })
})
