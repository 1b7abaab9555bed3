import { blockBytes, compress, endOfText, initialState, wordsOf } from './sha256.js'
import { utf8 } from './utf8.js'

/** Leaves the eight words of a text's SHA-256 in `state`. */
export function hashText(text: string, state: Int32Array): void {
  const bytes = utf8(text)
  const blocks = Math.ceil((bytes.length + 9) / blockBytes)
  const words = wordsOf([bytes, endOfText], blocks * 16)
  words[blocks * 16 - 1] = bytes.length * 8
  state.set(initialState)
  for (let block = 0; block < blocks; block++) compress(state, words, block * 16)
}
