import { KronError } from '@kron/core'
import type { Place } from '@kron/preview'
import type { Span } from './span.js'

/** A line of a file, and where its problems go. */
export interface SourceLine {
  readonly file: string
  readonly number: number
  readonly text: string
  readonly report: (span: Span, error: KronError) => void
}

export function placeIn(line: SourceLine, span: Span): Place {
  return {
    file: line.file,
    line: line.number,
    column: span.start + 1,
    length: span.end - span.start,
    source: line.text,
  }
}

/** The result of some work; undefined when it failed, which has then been reported. */
export function attempt<T>(
  line: SourceLine,
  work: () => T,
  spanOf: (error: KronError) => Span,
): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    line.report(spanOf(error), error)
    return undefined
  }
}
