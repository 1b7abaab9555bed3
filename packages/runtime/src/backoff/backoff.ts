export interface Backoff {
  /** After the first failure. */
  readonly firstMs: number
  readonly maxMs: number
}

/** More would be beyond any limit, and in the end beyond any number. */
const maxDoublings = 30

/** How long to wait after so many failures in a row, one or more: twice as long each time. */
export function backoffMs({ firstMs, maxMs }: Backoff, failures: number): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, maxDoublings), maxMs)
}
