import type { PlainValue } from './plain-value.js'

export type LinePair = readonly [key: string, value: PlainValue]

/**
 * A line with its time first; the pairs are in the order in which they will stand. null: there is
 * nothing to say to who reads this format.
 */
export type LineFormat = (time: string, pairs: readonly LinePair[]) => string | null

export function jsonLine(time: string, pairs: readonly LinePair[]): string {
  const members: Record<string, PlainValue> = { time }
  for (const [key, value] of pairs) {
    if (isMoved(key)) return printable(jsonInPieces(time, pairs))
    members[key] = value
  }
  return printable(JSON.stringify(members))
}

/** Whether an object would have the key elsewhere than it was put: first, or not at all. */
function isMoved(key: string): boolean {
  const first = key.charCodeAt(0)
  return (first >= digitZero && first <= digitNine) || key === '__proto__'
}

const digitZero = 48
const digitNine = 57

function jsonInPieces(time: string, pairs: readonly LinePair[]): string {
  const members = pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  return `{${[`"time":${JSON.stringify(time)}`, ...members].join()}}`
}

export function textLine(time: string, pairs: readonly LinePair[]): string {
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
