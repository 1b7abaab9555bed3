import { type Demand, demandOf } from './demand.js'
import { cellsOf, isTableHead } from './table.js'
import { isTallyLine, tallyLine, tallyOf } from './tally.js'

export interface Heading {
  readonly text: string
  readonly rank: number
  /** Its first line and the one after its last. */
  readonly line: number
  readonly end: number
}

export interface Deviation {
  readonly id: string
  readonly instead: string
  readonly why: string
}

/** The demands of one specification, and how Kron meets them. */
export interface ConformancePage {
  readonly name: string
  readonly lines: readonly string[]
  readonly title: string
  readonly about: string
  readonly headings: readonly Heading[]
  readonly demands: readonly Demand[]
  readonly deviations: readonly Deviation[]
  /** Lines of tables that are neither heads nor rows of the form that is agreed upon. */
  readonly strayLines: readonly number[]
}

const deviationsTitle = '## Deviations'

export function conformancePage(name: string, text: string): ConformancePage {
  const lines = text.split('\n')
  const lastSection = lines.indexOf(deviationsTitle)
  const isDemand = (index: number): boolean => lastSection < 0 || index < lastSection
  const demands: Demand[] = []
  const deviations: Deviation[] = []
  const strayLines: number[] = []
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('|') || isTableHead(line)) continue
    const demand = isDemand(index) ? demandOf(line, index + 1) : null
    const deviation = isDemand(index) ? null : deviationOf(line)
    if (demand !== null) demands.push(demand)
    else if (deviation !== null) deviations.push(deviation)
    else strayLines.push(index + 1)
  }
  const headings = headingsOf(lines)
  const title = headings[0]?.text.replace(/^#+ /, '') ?? ''
  return {
    name,
    lines,
    title,
    about: aboutOf(lines),
    headings,
    demands,
    deviations,
    strayLines,
  }
}

function deviationOf(line: string): Deviation | null {
  const cells = cellsOf(line)
  const [id, instead, why] = cells
  return cells.length === 3 ? { id: id!, instead: instead!, why: why! } : null
}

function headingsOf(lines: readonly string[]): Heading[] {
  const found = lines.flatMap((text, index) => {
    const rank = /^#+(?= )/.exec(text)?.[0].length
    return rank === undefined ? [] : [{ text, rank, line: index + 1 }]
  })
  return found.map((heading, index) => {
    const next = found.slice(index + 1).find(({ rank }) => rank <= heading.rank)
    return { ...heading, end: next?.line ?? lines.length + 1 }
  })
}

/** The first sentence of the introduction, with the words of its links alone. */
function aboutOf(lines: readonly string[]): string {
  const introduction = lines.slice(1).find((line) => line !== '') ?? ''
  const sentence = /^.*?\.(?= |$)/.exec(introduction)?.[0] ?? introduction
  return sentence.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
}

/** The page with a counts line that agrees with its rows. */
export const withTally = (page: ConformancePage): string =>
  page.lines.map((line) => (isTallyLine(line) ? tallyLine(tallyOf(page.demands)) : line)).join('\n')
