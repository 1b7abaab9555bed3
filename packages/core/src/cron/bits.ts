/** Position of the lowest set bit of a non-zero 32-bit set. */
export const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits)

/** Position of the highest set bit of a non-zero 32-bit set. */
export const highestBit = (bits: number): number => 31 - Math.clz32(bits)

/** The members at or above `from`, for `from` in 0..31. */
export const bitsFrom = (bits: number, from: number): number => bits & (-1 << from)

/** The members at or below `to`, for `to` in 0..31. */
export const bitsTo = (bits: number, to: number): number => bits & (-1 >>> (31 - to))
