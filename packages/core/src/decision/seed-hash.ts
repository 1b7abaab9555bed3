import { blockBytes, compress, endOfText, initialState, wordsOf } from './sha256.js'
import { utf8 } from './utf8.js'

const hexDigits = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

/**
 * SHA-256 of `identity \n periodKey \n salt` for one job. Everything but the period key is laid
 * out once, padding included; whole blocks before the key are compressed once. What is left for
 * each period is to drop in the key and compress the one or two blocks that hold it.
 */
export class SeedHash {
  readonly #identity: string
  readonly #salt: string
  /** State after the whole blocks of the prefix, which no period changes. */
  readonly #midstate: Int32Array
  readonly #keyAt: number
  #keyLength = -1
  #template: Int32Array = initialState

  constructor(identity: string, salt: string) {
    this.#identity = identity
    this.#salt = salt
    const prefix = this.#prefix()
    const whole = Math.floor(prefix.length / blockBytes)
    this.#keyAt = prefix.length - whole * blockBytes
    this.#midstate = whole === 0 ? initialState : Int32Array.from(initialState)
    if (whole > 0) {
      const words = wordsOf([prefix.subarray(0, whole * blockBytes)], whole * 16)
      for (let block = 0; block < whole; block++) compress(this.#midstate, words, block * 16)
    }
  }

  /** Created each time it is needed, which is rare: to keep those of all jobs would cost more. */
  #prefix(): Uint8Array {
    return utf8(`${this.#identity}\n`)
  }

  /** Leaves the eight words of the hash in `state`. The key is ASCII. */
  digest(periodKey: string, state: Int32Array): void {
    if (periodKey.length !== this.#keyLength) this.#layOut(periodKey.length)
    const blocks = scratchOf(this.#template)
    for (let i = 0, at = this.#keyAt; i < periodKey.length; i++, at++) {
      blocks[at >> 2] = blocks[at >> 2]! | (periodKey.charCodeAt(i) << (24 - ((at & 3) << 3)))
    }
    for (let i = 0; i < 8; i++) state[i] = this.#midstate[i]!
    for (let at = 0; at < this.#template.length; at += 16) compress(state, blocks, at)
  }

  #layOut(keyLength: number): void {
    const prefix = this.#prefix()
    const suffix = utf8(`\n${this.#salt}`)
    const head = prefix.subarray(prefix.length - this.#keyAt)
    const used = this.#keyAt + keyLength + suffix.length
    const blocks = Math.ceil((used + 9) / blockBytes)
    const parts = [head, new Uint8Array(keyLength), suffix, endOfText]
    this.#template = wordsOf(parts, blocks * 16)
    this.#template[blocks * 16 - 1] = (prefix.length - this.#keyAt + used) * 8
    this.#keyLength = keyLength
  }
}

let scratch = new Int32Array(48)

/** Working copy of a template, valid until the next call. */
function scratchOf(template: Int32Array): Int32Array {
  if (scratch.length < template.length) scratch = new Int32Array(template.length)
  for (let i = 0; i < template.length; i++) scratch[i] = template[i]!
  return scratch
}

/** Lower-case hex of the eight words. */
export function hexOf(state: Int32Array): string {
  return (
    hexOfPair(state[0]!, state[1]!) +
    hexOfPair(state[2]!, state[3]!) +
    hexOfPair(state[4]!, state[5]!) +
    hexOfPair(state[6]!, state[7]!)
  )
}

/** Two words at a time: fewer, longer pieces to put together are twice as fast. */
function hexOfPair(first: number, second: number): string {
  return String.fromCharCode(
    hexDigits[first >>> 28]!,
    hexDigits[(first >>> 24) & 15]!,
    hexDigits[(first >>> 20) & 15]!,
    hexDigits[(first >>> 16) & 15]!,
    hexDigits[(first >>> 12) & 15]!,
    hexDigits[(first >>> 8) & 15]!,
    hexDigits[(first >>> 4) & 15]!,
    hexDigits[first & 15]!,
    hexDigits[second >>> 28]!,
    hexDigits[(second >>> 24) & 15]!,
    hexDigits[(second >>> 20) & 15]!,
    hexDigits[(second >>> 16) & 15]!,
    hexDigits[(second >>> 12) & 15]!,
    hexDigits[(second >>> 8) & 15]!,
    hexDigits[(second >>> 4) & 15]!,
    hexDigits[second & 15]!,
  )
}
