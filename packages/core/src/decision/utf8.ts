/** UTF-8 of a well-formed string, in plain arithmetic: core relies on nothing but the language. */
export function utf8(text: string): Uint8Array {
  // Most texts are ASCII, and as many bytes as characters.
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x80) return utf8OfAny(text)
    bytes[i] = code
  }
  return bytes
}

function utf8OfAny(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), continuation(code))
    else if (code < 0x1_0000) {
      bytes.push(0xe0 | (code >> 12), continuation(code >> 6), continuation(code))
    } else {
      bytes.push(0xf0 | (code >> 18), continuation(code >> 12), continuation(code >> 6))
      bytes.push(continuation(code))
    }
  }
  return Uint8Array.from(bytes)
}

const continuation = (code: number): number => 0x80 | (code & 0x3f)
