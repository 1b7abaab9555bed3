/** One double seen as two 32-bit words; a scratch that no call leaves anything in for the next. */
const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)

float[0] = 1
const high = words[1] === 0 ? 0 : 1
const low = 1 - high

/** Sign, exponent and the first 20 bits of the fraction, as a signed 32-bit integer. */
export function highWord(x: number): number {
  float[0] = x
  return words[high]! | 0
}

/** `x` with the upper half of its bits replaced. */
export function withHighWord(x: number, word: number): number {
  float[0] = x
  words[high] = word
  return float[0]
}

/** 2^exponent for an exponent of the normal range, -1022 to 1023. */
export function powerOfTwo(exponent: number): number {
  words[low] = 0
  words[high] = (exponent + 1023) << 20
  return float[0]!
}
