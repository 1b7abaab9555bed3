import { characterWidth } from './display-width.js'
import type { Style, Tone } from './style.js'

export interface Marked {
  readonly source: string
  /** 1-based. */
  readonly column: number
  readonly length: number
}

const ellipsis = '…'

/**
 * A line and, under it, `^~~~` at the marked characters; cut around them if it is too long.
 * Control characters of a file are not shown as they are: they could drive the terminal.
 */
export function excerpt(marked: Marked, width: number, style: Style, tone: Tone): string[] {
  const start = marked.column - 1
  const source = marked.source.replace(/[^\P{Control}\t]/gu, '\ufffd')
  const { before, inside, after } = clipped(
    source.slice(0, start),
    source.slice(start, start + marked.length),
    source.slice(start + marked.length),
    width,
  )
  const cells = cellsOf(inside)
  const marks = `^${'~'.repeat(Math.max(0, cells - 1))}`
  return [`${before}${inside}${after}`.trimEnd(), blank(before) + style(tone, marks)]
}

/** As much white space as the text is wide; tabs stay tabs, however wide they are shown. */
function blank(text: string): string {
  return Array.from(text, (character) =>
    character === '\t' ? '\t' : ' '.repeat(characterWidth(character)),
  ).join('')
}

const cellsOf = (text: string): number =>
  Array.from(text).reduce((sum, character) => sum + widthOf(character), 0)

const widthOf = (character: string): number => (character === '\t' ? 1 : characterWidth(character))

interface Parts {
  readonly before: string
  readonly inside: string
  readonly after: string
}

function clipped(before: string, inside: string, after: string, width: number): Parts {
  if (cellsOf(before + inside + after) <= width) return { before, inside, after }
  const marked = firstCells(inside, Math.max(1, Math.floor(width * 0.6)))
  const room = Math.max(0, width - cellsOf(marked) - 2)
  const forTail = Math.max(Math.floor(room / 3), room - cellsOf(before))
  const tail = marked === inside ? firstCells(after, forTail) : ''
  const head = lastCells(before, room - cellsOf(tail))
  const cutAfter = marked !== inside || tail !== after
  return {
    before: head === before ? head : ellipsis + head,
    inside: marked,
    after: cutAfter ? tail + ellipsis : tail,
  }
}

function firstCells(text: string, cells: number): string {
  let taken = ''
  let width = 0
  for (const character of text) {
    width += widthOf(character)
    if (width > cells) break
    taken += character
  }
  return taken
}

function lastCells(text: string, cells: number): string {
  const reversed = Array.from(text).reverse().join('')
  return Array.from(firstCells(reversed, cells)).reverse().join('')
}
