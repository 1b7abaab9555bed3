import { quote, ValidationError } from '../errors/index.js'

/** A text of clauses and where it came from. */
export interface ClauseSource {
  readonly text: string
  readonly field: string
}

/** A stretch of a clause text that knows its place, for errors that point at it. */
export class Piece {
  readonly source: ClauseSource
  readonly start: number
  readonly end: number
  readonly text: string

  constructor(source: ClauseSource, start = 0, end = source.text.length) {
    this.source = source
    this.start = start
    this.end = end
    this.text = source.text.slice(start, end)
  }

  /** A part of this piece, from indexes into its own text. */
  part(from: number, to: number): Piece {
    return new Piece(this.source, this.start + from, this.start + to)
  }

  trimmed(): Piece {
    const length = this.text.trim().length
    if (length === this.text.length) return this
    const start = this.end - this.text.trimStart().length
    return new Piece(this.source, start, start + length)
  }

  /** The stretches between separators, without the blanks around them. */
  split(separator: string): Piece[] {
    const parts: Piece[] = []
    let from = 0
    for (;;) {
      const to = this.text.indexOf(separator, from)
      parts.push(this.part(from, to < 0 ? this.text.length : to).trimmed())
      if (to < 0) return parts
      from = to + separator.length
    }
  }

  /** The error for this piece. `reason` completes a sentence about the field. */
  malformed(reason: string, allowed: string, proposal?: string): ValidationError {
    const { text, field } = this.source
    const hint = proposal === undefined ? '' : `; write ${proposal}`
    return new ValidationError(
      'KRON_CONSTRAINT_INVALID',
      `${field} ${quote(text)}: ${reason}, expected ${allowed}${hint}`,
      {
        field,
        value: this.text,
        allowed,
        position: this.start,
        length: Math.max(1, this.end - this.start),
        text,
        ...(proposal !== undefined && { proposal }),
      },
    )
  }
}
