const newline = 10
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

export interface Undecodable {
  /** 1-based. */
  readonly line: number
  /** Index of the first character that is not UTF-8. */
  readonly position: number
  /** The line with replacement characters. */
  readonly source: string
}

/** The text of UTF-8 bytes, or the first place that is something else. */
export function decodeUtf8(bytes: Uint8Array): string | Undecodable {
  try {
    return strict.decode(bytes)
  } catch {
    return firstUndecodable(bytes)
  }
}

/** No byte of a longer sequence is a newline, so lines can be decoded one by one. */
function firstUndecodable(bytes: Uint8Array): Undecodable {
  for (let start = 0, line = 1; ; line++) {
    const found = bytes.indexOf(newline, start)
    const end = found < 0 ? bytes.length : found
    const part = bytes.subarray(start, end)
    if (!isUtf8(part) || found < 0) {
      const source = lenient.decode(part)
      return { line, position: firstReplaced(source, part), source }
    }
    start = end + 1
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Index of the first replacement character that the bytes themselves don't have. */
function firstReplaced(text: string, bytes: Uint8Array): number {
  let at = 0
  let position = 0
  for (const character of text) {
    const encoded = encoder.encode(character)
    if (encoded.some((byte, index) => bytes[at + index] !== byte)) return position
    at += encoded.length
    position += character.length
  }
  return position
}
