import type { JobSpec } from '../definition/index.js'
import { hexOf } from './seed-hash.js'
import { blockBytes, compress, endOfText, initialState, wordsOf } from './sha256.js'
import { utf8 } from './utf8.js'

const hash = new Int32Array(8)

/** Sixteen hex digits that change with the timing of a job: not with its policy or identity. */
export function timingOf(spec: JobSpec): string {
  const { schedule, dialect, timezone, window, distribution, seed, constraints } = spec
  const timing = [schedule, dialect, timezone, window, distribution, seed, constraints]
  hashText(`${JSON.stringify(timing)}\n\ntiming`, hash)
  return hexOf(hash).slice(0, 16)
}

/** Leaves the eight words of a text's SHA-256 in `state`. */
export function hashText(text: string, state: Int32Array): void {
  const bytes = utf8(text)
  const blocks = Math.ceil((bytes.length + 9) / blockBytes)
  const words = wordsOf([bytes, endOfText], blocks * 16)
  words[blocks * 16 - 1] = bytes.length * 8
  state.set(initialState)
  for (let block = 0; block < blocks; block++) compress(state, words, block * 16)
}
