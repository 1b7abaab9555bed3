import type { Span } from './span.js'

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
