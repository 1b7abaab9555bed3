import { isDeepStrictEqual } from 'node:util'
import type { KronJobStatus } from '../kronjob/index.js'

/** A merge patch that turns one status into the other; null when they are the same. */
export function statusPatch(
  before: KronJobStatus | undefined,
  after: KronJobStatus,
): Record<string, unknown> | null {
  const old: Record<string, unknown> = { ...before }
  const changed = Object.entries(after).filter(([field, value]) => !isSame(old[field], value))
  const gone = Object.keys(old).filter((field) => !(field in after))
  if (changed.length === 0 && gone.length === 0) return null
  return { ...Object.fromEntries(changed), ...Object.fromEntries(gone.map((key) => [key, null])) }
}

const isSame = (a: unknown, b: unknown): boolean => a === b || isDeepStrictEqual(a, b)
