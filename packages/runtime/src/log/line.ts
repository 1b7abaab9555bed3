import type { PlainValue } from './plain-value.js'

export type LinePair = readonly [key: string, value: PlainValue]

/** A line with its time first; the pairs are in the order in which they will stand. */
export type LineFormat = (time: string, pairs: Iterable<LinePair>) => string

export function jsonLine(time: string, pairs: Iterable<LinePair>): string {
  let line = `{"time":${JSON.stringify(time)}`
  for (const [key, value] of pairs) line += `,${JSON.stringify(key)}:${JSON.stringify(value)}`
  return printable(`${line}}`)
}

export function textLine(time: string, pairs: Iterable<LinePair>): string {
  const words = [time]
  for (const [key, value] of pairs) {
    words.push(`${word(key)}=${word(typeof value === 'string' ? value : JSON.stringify(value))}`)
  }
  return words.join(' ')
}

const bare = /^[^\s\p{Z}\p{Cc}\p{Cf}\p{Cs}"=\\]+$/u

const word = (text: string): string => (bare.test(text) ? text : printable(JSON.stringify(text)))

/**
 * What JSON leaves as it is, but may end a line or reorder it on a screen: delete, C1 controls,
 * line and paragraph separators, invisible format characters.
 */
const unprintable = /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu

const onlyPrintable = /^[ -~]*$/

/** JSON that shows as it is; most lines need no second look. */
function printable(json: string): string {
  return onlyPrintable.test(json) ? json : json.replace(unprintable, escaped)
}

function escaped(character: string): string {
  let text = ''
  for (let index = 0; index < character.length; index++) {
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  }
  return text
}
