import type { ConformancePage } from './conformance-page.js'
import { type Tally, tallyOf } from './tally.js'

const head = [
  '| specification | what it is about | demands | kept | deviating on purpose | open |',
  '| --- | --- | --- | --- | --- | --- |',
]

/** The table of the index: a line for each page, and one for all of them. */
export function indexTable(pages: readonly ConformancePage[]): string[] {
  const rows = pages.map((page) =>
    row(`[${page.title}](${page.name})`, page.about, tallyOf(page.demands)),
  )
  const all = row('all', '', tallyOf(pages.flatMap(({ demands }) => demands)))
  return [...head, ...rows, all]
}

const row = (page: string, about: string, tally: Tally): string =>
  `| ${[page, about, tally.demands, tally.kept, tally.deviating, tally.open].join(' | ')} |`

export const indexTableOf = (text: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('|'))

/** The index with a table that agrees with the pages. It has this one table. */
export function withIndexTable(text: string, pages: readonly ConformancePage[]): string {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.startsWith('|'))
  lines.splice(first, indexTableOf(text).length, ...indexTable(pages))
  return lines.join('\n')
}
