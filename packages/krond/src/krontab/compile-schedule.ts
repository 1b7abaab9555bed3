import {
  compileJob,
  InvalidCronExpressionError,
  type Job,
  type KronError,
  parseSchedule,
} from '@kron/core'
import { scheduleSpans } from './schedule-spans.js'
import type { Span } from './span.js'

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
