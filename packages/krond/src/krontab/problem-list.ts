import {
  type ErrorCategory,
  type ErrorCode,
  InvalidCronExpressionError,
  type KronError,
  ValidationError,
} from '@kron/core'
import type { Finding, Place } from '@kron/preview'
import type { Span } from './field-scanner.js'
import { krontabLimits } from './lines.js'

/** What keeps a job, or a whole file, from being used. */
export interface Problem extends Place {
  readonly code: ErrorCode
  readonly category: ErrorCategory
  readonly message: string
}

/** As lint shows it. */
export const findingOf = (problem: Problem): Finding => ({ ...problem, severity: 'error' })

/** The problems of one file, in the order of its text. */
export class ProblemList {
  readonly #file: string
  readonly #problems: Problem[] = []

  constructor(file: string) {
    this.#file = file
  }

  get count(): number {
    return this.#problems.length
  }

  get isFull(): boolean {
    return this.#problems.length >= krontabLimits.problems
  }

  add(line: number, source: string, span: Span, error: KronError): void {
    if (!this.isFull) this.#push(line, source, span, error)
  }

  /** Says, beyond the limit, that there may be more. */
  close(line: number, source: string): void {
    const allowed = `at most ${krontabLimits.problems} problems`
    const message = `${allowed} are listed for a file; the rest of it is not read`
    const error = new ValidationError('KRON_FILE_LIMIT', message, { field: 'file', allowed })
    this.#push(line, source, { start: 0, end: 1 }, error)
  }

  sorted(): readonly Problem[] {
    return this.#problems.sort((a, b) => a.line - b.line || a.column - b.column)
  }

  #push(line: number, source: string, span: Span, error: KronError): void {
    this.#problems.push({
      file: this.#file,
      line,
      column: span.start + 1,
      length: Math.max(1, span.end - span.start),
      source,
      code: error.code,
      category: error.category,
      message: messageInLine(error) + hintFor(error),
    })
  }
}

/** For what people write who are used to crontabs. */
function hintFor(error: KronError): string {
  if (!(error instanceof InvalidCronExpressionError) || error.field !== 'expression') return ''
  const { value } = error.details
  return value && !hasSeconds(error) ? '; what runs is given after it as command=...' : ''
}

/** The expression itself is left out of messages about it: the line is shown beside them. */
export function messageInLine(error: KronError): string {
  if (!(error instanceof InvalidCronExpressionError)) return error.message
  const { field, reason } = error
  if (field !== 'expression') return `${field} field ${reason}`
  return `the cron expression ${reason}${adviceFor(error)}`
}

/** For what other programs of this kind know. */
function adviceFor(error: InvalidCronExpressionError): string {
  if (hasSeconds(error)) return '; the first field is the minute, there is none for seconds'
  if (error.expression === '@reboot') {
    return '; what is to run when the machine starts is for its init system, such as systemd'
  }
  return /^@every\b/.test(error.expression) ? '; "*/5 * * * *" is every five minutes' : ''
}

/** Whether all of six words are fields, so that none of them is a command. */
function hasSeconds({ expression }: InvalidCronExpressionError): boolean {
  const words = expression.trim().split(/\s+/)
  return words.length === 6 && words.every((word) => cronField.test(word))
}

const cronField = /^(?:[\d*?,/-]+|[a-z]{3}(?:[,-][a-z]{3})*)$/i
