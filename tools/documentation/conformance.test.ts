import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readText, repository } from './documentation-host.js'

const list = 'docs/scheduler-conformance.md'
const testsOfTheList = 'packages/scheduler/test/conformance'

interface Place {
  readonly file: string
  /** Of a test: the titles of its groups and its own. Of a page: a heading. */
  readonly titles: readonly string[]
}

interface Row {
  readonly line: number
  readonly id: string
  readonly demand: string
  readonly level: string
  readonly places: readonly Place[]
}

function rowsOf(markdown: string): Row[] {
  return markdown.split('\n').flatMap((text, index) => {
    const cells = /^\| ([CD]\d+) \|(.*)\|(.*)\|(.*)\|$/.exec(text)?.slice(1)
    if (cells === undefined) return []
    const [id = '', demand = '', level = '', tests = ''] = cells.map((cell) => cell.trim())
    return [{ line: index + 1, id, demand, level, places: placesOf(tests) }]
  })
}

/** Each as `file` › `titles`. */
const placesOf = (cell: string): Place[] =>
  [...cell.matchAll(/`([^`]+)` › `([^`]+)`/g)].map(([, file, titles]) => ({
    file: file!,
    titles: titles!.split(' > '),
  }))

const lines = readText(list).split('\n')
const rows = rowsOf(lines.join('\n'))

/** What is wrong with a row, or with one of the places that it names. */
function problemsOf(problemOf: (place: Place) => string | null): string[] {
  return rows.flatMap(({ id, places }) =>
    places.flatMap((place) => {
      const problem = problemOf(place)
      return problem === null ? [] : [`${id}: ${problem}`]
    }),
  )
}

const texts = new Map<string, string>()

function textOf(file: string): string {
  const known = texts.get(file)
  if (known !== undefined) return known
  const text = existsSync(join(repository, file)) ? readText(file) : ''
  texts.set(file, text)
  return text
}

/** A string of the source with exactly this content, in any of the three quotes. */
function literal(title: string): string {
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return `(['"\`])${escaped.replace(/['"]/g, '\\\\?$&')}\\1`
}

const isWritten = (text: string, title: string): boolean => new RegExp(literal(title)).test(text)

/** As the first thing in the parentheses of `it(...)` or of what `it.each(...)` answers. */
const isTest = (text: string, title: string): boolean =>
  new RegExp(`(?:\\b(?:it|test)\\(|\\)\\()\\s*${literal(title)}`).test(text)

function problemOfTest({ file, titles }: Place): string | null {
  const text = textOf(file)
  const groups = titles.slice(0, -1)
  const title = titles.at(-1)!
  const missing = groups.find((group) => !isWritten(text, group))
  if (missing !== undefined) return `${file} has no group "${missing}"`
  return isTest(text, title) ? null : `${file} has no test "${title}"`
}

function problemOfHeading({ file, titles }: Place): string | null {
  const headings = [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading)
  return headings.includes(titles.join(' > ')) ? null : `${file} has no heading "${titles[0]}"`
}

/** Headings with nothing but other headings, or nothing at all, up to the next of their rank. */
function emptyHeadings(): string[] {
  const headings = lines.flatMap((text, index) => {
    const rank = /^#+(?= )/.exec(text)?.[0].length
    return rank === undefined ? [] : [{ text, rank, line: index + 1 }]
  })
  // The first is that of the page, with its introduction under it.
  return headings.slice(1).flatMap(({ text, rank, line }, index) => {
    const next = headings.slice(index + 2).find((heading) => heading.rank <= rank)
    const end = next?.line ?? lines.length + 1
    return rows.some((row) => row.line > line && row.line < end) ? [] : [text]
  })
}

describe('the list of demands on the scheduler', () => {
  it.each(['C', 'D'])('numbers the rows with a %s from 1 on, without a gap', (letter) => {
    const ids = rows.map(({ id }) => id).filter((id) => id.startsWith(letter))
    expect(ids).not.toHaveLength(0)
    expect(ids).toEqual(ids.map((_, index) => `${letter}${index + 1}`))
  })

  it('has a row in every line of its tables', () => {
    const tables = lines.filter((line) => line.startsWith('|'))
    const heads = tables.filter((line) => /^\| (\||---)/.test(line))
    expect(tables).toHaveLength(rows.length + heads.length)
  })

  it('has rows under every heading', () => {
    expect(emptyHeadings()).toEqual([])
  })

  it('says in every row what is demanded, and how strictly', () => {
    const levels = ['MUST', 'MUST NOT', 'SHOULD', 'MAY']
    const lacking = rows.filter(({ demand, level }) => demand === '' || !levels.includes(level))
    expect(lacking.map(({ id }) => id)).toEqual([])
  })

  it('names a test in every row', () => {
    expect(rows.filter(({ places }) => places.length === 0).map(({ id }) => id)).toEqual([])
    const open = rows.filter(({ places }) =>
      places.some(({ titles }) => titles.join().includes('TODO')),
    )
    expect(open.map(({ id, demand }) => `${id} ${demand}`)).toEqual([])
  })

  it('names only files that exist', () => {
    const problem = ({ file }: Place): string | null =>
      existsSync(join(repository, file)) ? null : file
    expect(problemsOf(problem)).toEqual([])
  })

  it('names only tests and headings that are there', () => {
    const problem = (place: Place): string | null =>
      place.file.endsWith('.md') ? problemOfHeading(place) : problemOfTest(place)
    expect(problemsOf(problem)).toEqual([])
  })

  it('names every file of tests that was written for it', () => {
    const named = new Set(rows.flatMap(({ places }) => places.map(({ file }) => file)))
    const files = readdirSync(join(repository, testsOfTheList))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${testsOfTheList}/${name}`)
    expect(files.filter((file) => !named.has(file))).toEqual([])
  })
})
