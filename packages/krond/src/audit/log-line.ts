import { parseInstant } from '@kron/core'

/** Where in a log something stands, and what it is about. */
export interface Place {
  readonly file: string | null
  /** Counted from 1 in its file. */
  readonly number: number
  /** Counted over all files. */
  readonly index: number
  readonly event: string
  /** Epoch milliseconds. */
  readonly time: number
  readonly fields: Readonly<Record<string, unknown>>
}

/** A line of the log that is an event. */
export type LogLine = Place

/** As much of a line as is needed to find it again: the rest is not kept in memory. */
export function placeOf({ file, number, index, event, time, fields }: LogLine): Place {
  const { identity, period_id } = fields
  return { file, number, index, event, time, fields: { identity, period_id } }
}

/** The members of a line, or null if it is not a JSON object. */
export function fieldsOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/**
 * A daemon that was killed while it wrote leaves a piece of a line, and the next one may begin
 * right behind it. Answers that beginning of a new life, or null.
 */
export function startBehindTorn(text: string): Record<string, unknown> | null {
  const at = text.lastIndexOf('{"time":')
  if (at <= 0) return null
  const fields = fieldsOf(text.slice(at))
  return fields !== null && fields['event'] === 'start' ? fields : null
}

/** Epoch milliseconds of RFC 3339 text, NaN for anything else. */
export function instantOf(value: unknown): number {
  if (typeof value !== 'string' || value.length > 40) return Number.NaN
  try {
    return parseInstant(value)
  } catch {
    return Number.NaN
  }
}
