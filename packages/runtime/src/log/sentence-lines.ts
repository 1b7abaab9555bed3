import { formatDuration } from '@kron/core'
import type { Style } from '../terminal/index.js'
import { type LineFormat, textLine } from './line.js'
import type { PlainValue } from './plain-value.js'

export type SentenceFields = Readonly<Record<string, PlainValue>>
export type SentenceTone = Parameters<Style>[0] | 'plain'

/** What an event says, with its tone; null: nothing that somebody at a terminal waits for. */
export type Sentence = (
  fields: SentenceFields,
  at: Date,
) => readonly [tone: SentenceTone, words: string] | null

export interface SentenceOptions {
  readonly style: Style
  /** By the name of the event. One that is not here is shown as it is. */
  readonly sentences: Readonly<Record<string, Sentence>>
  /** Who an event is about, such as the name of a job. */
  readonly nameOf: (fields: SentenceFields) => string
}

const narrowestName = 10
const widestName = 24

/** A log for people at a terminal: a time, a name, a sentence. */
export function sentenceLines({ style, sentences, nameOf }: SentenceOptions): LineFormat {
  let widest = narrowestName
  return (time, pairs) => {
    const fields: SentenceFields = Object.fromEntries(pairs)
    const at = new Date(time)
    const event = String(fields['event'])
    const sentence = Object.hasOwn(sentences, event) ? sentences[event] : undefined
    if (sentence === undefined) return textLine(time, pairs)
    const said = sentence(fields, at)
    if (said === null) return null
    const [tone, words] = said
    const name = shown(nameOf(fields))
    widest = Math.min(widestName, Math.max(widest, name.length))
    const text = tone === 'plain' ? shown(words) : style(tone, shown(words))
    return `${style('faint', clockTime(at))}  ${style('strong', name.padEnd(widest))}  ${text}`
  }
}

const two = (value: number): string => String(value).padStart(2, '0')

const clockTime = (at: Date): string =>
  `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`

const dateOf = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

/** With the date where it is another day, and how far away it is. */
export function instantText(value: PlainValue | undefined, now: Date): string {
  const at = new Date(typeof value === 'number' ? value : String(value))
  const date = dateOf(at) === dateOf(now) ? '' : `${dateOf(at)} `
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  if (seconds <= 0) return `now; it was due at ${date}${clockTime(at)}`
  return `at ${date}${clockTime(at)}, in ${formatDuration(seconds * 1000)}`
}

/** What a job writes may hold what moves the cursor or changes colours. */
const shown = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')
