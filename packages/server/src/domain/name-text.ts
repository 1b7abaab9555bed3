/** Of jobs, endpoints, tenants and keys. */
export const maxNameLength = 200

/**
 * Characters that show nothing of themselves and change how others are shown: controls (a line that
 * goes on as another one, a terminal that obeys), ends of lines, and those that turn
 * the direction of text, by which a name looks like another. U+200C and U+200D join letters of some
 * scripts, and parts of emoji, and stay allowed.
 */
const hidden = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** The same as a pattern that a whole name has, with something to see in it. */
export const namePattern =
  '^(?=[\\s\\S]*\\S)[^\\u0000-\\u001f\\u007f-\\u009f' +
  '\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$'

interface HiddenCharacter {
  /** Such as `U+202E`. */
  readonly codePoint: string
  /** Index into the text. */
  readonly position: number
  /** Where it is and that it may not be, as the rest of a sentence about the name. */
  readonly words: string
}

export function hiddenCharacter(name: string): HiddenCharacter | null {
  const found = hidden.exec(name)
  if (found === null) return null
  const digits = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  const codePoint = `U+${digits}`
  const before = [...name.slice(0, found.index)].length
  return {
    codePoint,
    position: found.index,
    words:
      `must not have control or bidirectional characters, ` +
      `got ${codePoint} as character ${before + 1}`,
  }
}
