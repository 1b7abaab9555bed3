import { formatDuration } from '@kron/core'

/** `32m20s`, `-12m3s`. */
export function signedDuration(seconds: number): string {
  return `${seconds < 0 ? '-' : ''}${formatDuration(Math.abs(seconds) * 1000)}`
}
