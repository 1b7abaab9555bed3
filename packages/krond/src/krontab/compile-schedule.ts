import {
  compileJob,
  InvalidCronExpressionError,
  type Job,
  type KronError,
  parseSchedule,
} from '@kron/core'
import type { Span } from './field-scanner.js'

/** The job of a schedule text. Every error it throws can be placed with `errorSpan`. */
export function compileSchedule(text: string, identity: string): Job {
  return compileJob({ ...parseSchedule(text), identity })
}

/** The modifiers that a checked field came from; the rest came from the cron expression. */
const modifiersOf: Readonly<Record<string, readonly string[]>> = {
  timezone: ['tz'],
  window: ['win'],
  distribution: ['dist'],
  seed: ['seed'],
  policy: ['policy'],
  constraints: ['only', 'avoid'],
}

/** What part of the schedule text an error is about. */
export function errorSpan(text: string, error: KronError): Span {
  const { position, length, field } = error.details
  if (position !== undefined) {
    return { start: position, end: position + (typeof length === 'number' ? length : 1) }
  }
  if (error instanceof InvalidCronExpressionError) return scheduleSpans(text).cron
  const spans = scheduleSpans(text)
  const modifiers = modifiersOf[field.split('.')[0] ?? ''] ?? []
  const found = modifiers.map((modifier) => spans.modifiers.get(modifier))
  return found.find((span) => span !== undefined) ?? spans.cron
}

/** Where the parts of a schedule text stand that `parseSchedule` has accepted. */
export interface ScheduleSpans {
  readonly whole: Span
  readonly cron: Span
  /** The fields of the cron expression; a macro is one. */
  readonly cronFields: readonly Span[]
  /** Modifiers by name, without the `@`. */
  readonly modifiers: ReadonlyMap<string, Span>
}

const modifierStart = /@([A-Za-z][\w-]*)\s*\(/g

export function scheduleSpans(text: string): ScheduleSpans {
  const modifiers = new Map<string, Span>()
  let cronEnd = text.length
  modifierStart.lastIndex = 0
  for (;;) {
    const found = modifierStart.exec(text)
    if (found === null) break
    if (modifiers.size === 0) cronEnd = found.index
    const end = endOfModifier(text, modifierStart.lastIndex)
    modifiers.set(found[1]!, { start: found.index, end })
    modifierStart.lastIndex = end
  }
  const cronFields = [...text.slice(0, cronEnd).matchAll(/\S+/g)].map(spanOf)
  const cron = { start: cronFields[0]?.start ?? 0, end: cronFields.at(-1)?.end ?? 0 }
  const whole = { start: cron.start, end: Math.max(cron.end, ...ends(modifiers)) }
  return { whole, cron, cronFields, modifiers }
}

const spanOf = ({ 0: text, index }: RegExpExecArray): Span => ({
  start: index,
  end: index + text.length,
})

const ends = (modifiers: ReadonlyMap<string, Span>): number[] =>
  [...modifiers.values()].map(({ end }) => end)

function endOfModifier(text: string, from: number): number {
  let quoted = false
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted
    else if (quoted && text[at] === '\\') at++
    else if (!quoted && text[at] === ')') return at + 1
  }
  return text.length
}
