/**
 * SplitMix64 on pairs of 32-bit halves. The generator's 64-bit arithmetic is exact without BigInt:
 * products are put together from 16-bit pieces.
 */
export class SplitMix64 {
  #high = 0
  #low = 0

  /** Starts over from the first eight bytes of a hash, big-endian. */
  seed(high: number, low: number): void {
    this.#high = high
    this.#low = low
  }

  /** The next number in [0, 1), of 53 bits. */
  next(): number {
    const low = (this.#low >>> 0) + 0x7f4a7c15
    this.#low = low | 0
    this.#high = (this.#high + 0x9e3779b9 + (low >= 0x1_0000_0000 ? 1 : 0)) | 0
    let zh = this.#high
    let zl = this.#low

    zl ^= (zl >>> 30) | (zh << 2)
    zh ^= zh >>> 30
    zh = (Math.imul(zh, 0x1ce4e5b9) + Math.imul(zl, 0xbf58476d) + highWord(zl, 0x1ce4e5b9)) | 0
    zl = Math.imul(zl, 0x1ce4e5b9)

    zl ^= (zl >>> 27) | (zh << 5)
    zh ^= zh >>> 27
    zh = (Math.imul(zh, 0x133111eb) + Math.imul(zl, 0x94d049bb) + highWord(zl, 0x133111eb)) | 0
    zl = Math.imul(zl, 0x133111eb)

    zl ^= (zl >>> 31) | (zh << 1)
    zh ^= zh >>> 31
    return ((zh >>> 0) * 0x20_0000 + (zl >>> 11)) / 0x20_0000_0000_0000
  }
}

/** Upper 32 bits of the unsigned product of two 32-bit numbers. */
function highWord(a: number, b: number): number {
  const ah = a >>> 16
  const al = a & 0xffff
  const bh = b >>> 16
  const bl = b & 0xffff
  const low = al * bl
  const middle = ah * bl + (low >>> 16)
  const crossed = al * bh + (middle % 0x1_0000)
  return (ah * bh + Math.floor(middle / 0x1_0000) + Math.floor(crossed / 0x1_0000)) | 0
}
