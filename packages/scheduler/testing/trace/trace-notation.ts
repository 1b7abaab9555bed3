import type { TraceEvent, TraceTask } from '../../src/testing/trace.js'

/** Expression, and the delay of a retry (default a minute). */
export type TaskNotation = string | readonly [expression: string, retryDelayMs: number]

const line = /^(?:(\d\d)T)?(\d\d:\d\d:\d\d(?:\.\d{3})?) ([A-Za-z]+)(!?)(?:#(\d+))?(?: (.*))?$/

/**
 * Traces as people write them down, one event a line in January 2026 (UTC), the first when no day
 * is given: `10:00:00 IS x y=other` (y with the definition of `other`), `IS!` for an invalid list,
 * `IS#2` for the second of calls that overlap, `IEf excused`, `02T10:00:05.250 RS x`,
 * `Crash x` (x is uncertain), `Crash! x` (x runs elsewhere), `ClockStep 09:00:00`.
 */
export function readTrace(
  text: string,
  definitions: Readonly<Record<string, TaskNotation>> = {},
): TraceEvent[] {
  const lines = text.split('\n').map((raw) => raw.trim())
  return lines.filter((raw) => raw !== '').map((raw) => readEvent(raw, definitions))
}

export function instant(text: string, day = '01'): number {
  const dated = text.includes('T') ? text : `${day}T${text}`
  return Date.parse(`2026-01-${dated}Z`)
}

function readEvent(raw: string, definitions: Readonly<Record<string, TaskNotation>>): TraceEvent {
  const match = line.exec(raw)
  if (match === null) throw new Error(`not an event: ${raw}`)
  const [, day, time, event, bang, callText, rest = ''] = match
  const at = instant(time!, day)
  const call = Number(callText ?? 1)
  const words = rest.split(' ').filter((word) => word !== '')
  switch (event) {
    case 'IS': {
      const tasks = words.map((word) => readTask(word, definitions))
      return { event, at, call, tasks, valid: bang === '' }
    }
    case 'IEf':
      return { event, at, call, ...(rest === 'excused' ? { excused: true } : {}) }
    case 'IEs':
    case 'SS':
    case 'SE':
      return { event, at, call }
    case 'RS':
    case 'REs':
    case 'REf':
      return { event, at, task: rest }
    case 'Crash':
      if (words.length === 0) return { event, at }
      return { event, at, ...(bang === '' ? { uncertain: words } : { elsewhere: words }) }
    case 'ClockStep':
      return { event, at, to: instant(rest) }
    default:
      throw new Error(`not an event: ${raw}`)
  }
}

function readTask(word: string, definitions: Readonly<Record<string, TaskNotation>>): TraceTask {
  const [name, definition = name] = word.split('=') as [string, string?]
  const notation = definitions[definition]
  if (notation === undefined) throw new Error(`no definition of ${definition}`)
  const [expression, retryDelayMs] = typeof notation === 'string' ? [notation, 60_000] : notation
  return { name, expression, retryDelayMs }
}
