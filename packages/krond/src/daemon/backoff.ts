const firstMs = 1000
const maxMs = 60_000

/** How long to wait after so many failed attempts: 1 s, 2 s, 4 s, ..., at most a minute. */
export function backoffMs(failures: number): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 10), maxMs)
}
