import { readFileSync, writeFileSync } from 'node:fs'

const begin = '<!-- results: begin -->'
const end = '<!-- results: end -->'

/** Replaces what lies between the two markers, and nothing else. */
export function writeResultsInto(readme: URL, markdown: string): void {
  const text = readFileSync(readme, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end, from)
  if (from === -1 || to === -1) throw new RangeError(`bench/README.md lacks ${begin} or ${end}`)
  const before = text.slice(0, from + begin.length)
  writeFileSync(readme, `${before}\n${markdown.trim()}\n${text.slice(to)}`)
}
