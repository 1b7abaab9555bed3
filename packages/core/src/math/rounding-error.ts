/**
 * What a rounded operation lost, exactly. A value together with such a remainder is a
 * "double-double" of about 106 bits; the functions of this folder carry their intermediate results
 * that way, so that only the last addition rounds. (Dekker 1971, Veltkamp 1968, Knuth's two-sum.)
 */

const splitter = 134_217_729 // 2^27 + 1

/** The upper 26 bits of `x`; they and the rest of it have exact products. */
export function upperHalf(x: number): number {
  const scaled = splitter * x
  return scaled - (scaled - x)
}

/** `a * b - product`, for `product` the rounded `a * b`; exact unless something underflows. */
export function productError(a: number, b: number, product: number): number {
  const aHigh = upperHalf(a)
  const aLow = a - aHigh
  const bHigh = upperHalf(b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

/** `a + b - sum`, for `sum` the rounded `a + b`. */
export function sumError(a: number, b: number, sum: number): number {
  const bVirtual = sum - a
  return a - (sum - bVirtual) + (b - bVirtual)
}

/** The same for operands of known order: `a` is zero or not smaller in magnitude than `b`. */
export function orderedSumError(a: number, b: number, sum: number): number {
  return b - (sum - a)
}
