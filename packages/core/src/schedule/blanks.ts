import type { Span } from './value.js'

/** What separates the parts of a schedule. Loops, since `\s+$` is quadratic on hostile texts. */
export function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r'
}

/** The part of `text` up to `end` without the blanks around it. */
export function withoutBlanks(text: string, end = text.length): Span {
  let start = 0
  while (start < end && isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return { start, end }
}
