import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readText, repository } from '../documentation/documentation-host.js'
import { type ConformancePage, conformancePage, withTally } from './conformance-page.js'
import { indexTable, indexTableOf, withIndexTable } from './index-page.js'
import { lettersOf, type PageRule, pageRules } from './page-problems.js'

const folder = 'tools/conformance'
const index = `${folder}/README.md`

const names = readdirSync(join(repository, folder))
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .toSorted()

const readPages = (): ConformancePage[] =>
  names.map((name) => conformancePage(name, readText(`${folder}/${name}`)))

/** After a change that is meant, `KRON_REFRESH_DOCUMENTATION=1` counts again. */
if (process.env['KRON_REFRESH_DOCUMENTATION'] === '1') {
  const write = (path: string, text: string): void => writeFileSync(join(repository, path), text)
  for (const page of readPages()) write(`${folder}/${page.name}`, withTally(page))
  write(index, withIndexTable(readText(index), readPages()))
}

const pages = readPages()

describe.each(pages.map((page) => ({ page, name: page.name })))('$name', ({ page }) => {
  it.each(Object.keys(pageRules) as PageRule[])('%s', (rule) => {
    expect(pageRules[rule](page)).toEqual([])
  })
})

describe('the conformance pages', () => {
  it('are there, each with letters of its own', () => {
    const letters = pages.flatMap(lettersOf)
    expect(letters).not.toHaveLength(0)
    expect(letters.toSorted()).toEqual([...new Set(letters)].toSorted())
  })

  it('are all in the index, with what they are about and their counts', () => {
    expect(indexTableOf(readText(index))).toEqual(indexTable(pages))
  })
})

const writtenFor = [
  { name: 'declarative-scheduler.md', tests: 'packages/scheduler/test/conformance' },
]

describe.each(writtenFor.filter(({ name }) => names.includes(name)))('$name', ({ name, tests }) => {
  it('names every file of tests that was written for it', () => {
    const { demands } = pages.find((page) => page.name === name)!
    const named = new Set(demands.flatMap((demand) => demand.tests.map(({ file }) => file)))
    const files = readdirSync(join(repository, tests))
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${tests}/${file}`)
    expect(files).not.toHaveLength(0)
    expect(files.filter((file) => !named.has(file))).toEqual([])
  })
})
