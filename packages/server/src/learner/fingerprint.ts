import { valueAt } from '../domain/json-pointer.js'

/** An answer that succeeded, as far as it may have changed. Names of headers are in lower case. */
export interface Answer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly truncated: boolean
}

/**
 * What an answer says, as a number: two answers that say the same have the same one. It is made of
 * the values that `changeOf` names, of the entity tag, of the time of the last modification, or of
 * the whole body, the first of these that there is. null where there is nothing to compare.
 */
export function fingerprintOf(
  { headers, body, truncated }: Answer,
  changeOf: readonly (readonly string[])[],
): number | null {
  if (changeOf.length > 0 && !truncated) {
    const named = namedValues(body, changeOf)
    if (named !== null) return hash(Buffer.from(named))
  }
  const stamp = headers['etag'] ?? headers['last-modified']
  if (changeOf.length === 0 && stamp !== undefined) return hash(Buffer.from(stamp))
  return body.byteLength === 0 ? null : hash(body)
}

/** null when the body is not JSON. */
function namedValues(body: Uint8Array, changeOf: readonly (readonly string[])[]): string | null {
  try {
    const document: unknown = JSON.parse(Buffer.from(body).toString())
    return JSON.stringify(changeOf.map((names) => valueAt(document, names)))
  } catch {
    return null
  }
}

/** MurmurHash3 of 32 bits: it has to be fast, since bodies are hashed for each run. */
function hash(bytes: Uint8Array): number {
  let state = 0
  const whole = bytes.length & ~3
  for (let at = 0; at < whole; at += 4) {
    state ^= scrambled(
      bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24),
    )
    state = (state << 13) | (state >>> 19)
    state = (Math.imul(state, 5) + 0xe6546b64) | 0
  }
  let rest = 0
  for (let at = bytes.length - 1; at >= whole; at--) rest = (rest << 8) | bytes[at]!
  state ^= scrambled(rest) ^ bytes.length
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}

function scrambled(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}

/** A text as a number, for comparing and nothing else. */
export const textNumber = (text: string): number => hash(Buffer.from(text))
