import { InvalidCronExpressionError, type KronError, ValidationError } from '@kron/core'
import { krontabLimits } from './limits.js'
import type { Problem } from './problem.js'
import type { Span } from './span.js'

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
      message: messageOf(error) + hintFor(error),
    })
  }
}

/** What people write who have crontabs in their fingers. */
function hintFor(error: KronError): string {
  const { field, value } = error.details
  const isTooLong = error instanceof InvalidCronExpressionError && field === 'expression' && value
  return isTooLong ? '; what runs is given after it as command=...' : ''
}

/** The expression itself is left out of messages about it: the line is shown beside them. */
export function messageOf(error: KronError): string {
  if (!(error instanceof InvalidCronExpressionError)) return error.message
  const { field, reason } = error
  return field === 'expression' ? `the cron expression ${reason}` : `${field} field ${reason}`
}
