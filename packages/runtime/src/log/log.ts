import type { Clock } from '../clock/index.js'
import { type FailureContext, failureFields } from './failure.js'
import { jsonLine, type LineFormat, type LinePair, textLine } from './line.js'
import {
  checkLogOptions,
  isWritten,
  type LogFields,
  type LogFormat,
  type LogLevel,
  type LogOptions,
} from './log-options.js'
import { type PlainValue, plainDate, plainValue, unreadable } from './plain-value.js'

type WriteEvent = (event: string, fields?: LogFields) => void

/** Nothing here throws, whatever the fields hold: to log must not change what the host does. */
export interface Log {
  readonly debug: WriteEvent
  readonly info: WriteEvent
  readonly warn: WriteEvent
  readonly error: WriteEvent
  /** Writes an `error` event with all that the error model demands. */
  readonly failure: (error: unknown, context: FailureContext) => void
  /** The same log with fields on every line, read once, now. A line's own field replaces one. */
  readonly child: (fields: LogFields) => Log
}

/** A field of one of these names is written as `field.<name>`. */
const reservedKeys: ReadonlySet<string> = new Set(['time', 'level', 'component', 'event'])

const lineFormats: Readonly<Record<LogFormat, LineFormat>> = { json: jsonLine, text: textLine }

export function createLog(options: LogOptions): Log {
  checkLogOptions(options)
  const { clock, component, level: lowest, write } = options
  const format = lineFormats[options.format as LogFormat] ?? (options.format as LineFormat)

  const writeLine = (level: LogLevel, event: string, fields: Iterable<LinePair>): void => {
    const pairs: LinePair[] = [
      ['level', level],
      ['component', component],
      ['event', plainValue(event) ?? null],
      ...fields,
    ]
    try {
      const line = format(timeOf(clock), pairs)
      if (line !== null) write(line, event)
    } catch {
      // The host goes on without the line; there is no better place to say so than the log.
    }
  }

  const logWith = (inherited: ReadonlyMap<string, PlainValue>): Log => {
    const at =
      (level: LogLevel): WriteEvent =>
      (event, fields) => {
        if (!isWritten(level, lowest)) return
        const own = plainFields(fields)
        writeLine(level, event, inherited.size === 0 ? own : new Map([...inherited, ...own]))
      }
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      failure: (error, context) =>
        writeLine('error', 'error', failureFields(error, context, inherited)),
      child: (fields) => logWith(new Map([...inherited, ...plainFields(fields)])),
    }
  }
  return logWith(plainFields(options.fields))
}

function plainFields(fields: LogFields | undefined): Map<string, PlainValue> {
  const plain = new Map<string, PlainValue>()
  const read = readFields(fields)
  for (const key of Object.keys(read)) {
    plain.set(reservedKeys.has(key) ? `field.${key}` : key, read[key]!)
  }
  return plain
}

/** A bare value or a list in place of fields still says something. */
function readFields(fields: unknown): { [key: string]: PlainValue } {
  const plain = plainValue(fields)
  if (plain === undefined || plain === null) return {}
  return typeof plain === 'object' && !Array.isArray(plain) ? plain : { value: plain }
}

function timeOf(clock: Pick<Clock, 'now'>): string {
  try {
    return plainDate(clock.now())
  } catch {
    return unreadable
  }
}
