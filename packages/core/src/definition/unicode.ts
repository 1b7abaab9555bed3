import type { ErrorCode } from '../errors/index.js'
import { outOfRange } from './flaw.js'

/** Throws unless a text has an UTF-8 form, which is what gets hashed, of at most `most` bytes. */
export function checkUnicode(text: string, field: string, most: number, code: ErrorCode): void {
  // No UTF-16 unit takes less than one byte: what is too long already is not worth a walk.
  const bytes = text.length > most ? text.length : utf8Length(text)
  if (bytes < 0) {
    throw outOfRange(code, field, text, 'well-formed Unicode without lone surrogates')
  }
  if (bytes > most) throw outOfRange(code, field, text, `at most ${most} bytes of UTF-8`)
}

/** Bytes of the UTF-8 form, or -1 when a surrogate stands alone. */
function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0)!
    if (point >= 0xd800 && point <= 0xdfff) return -1
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}
