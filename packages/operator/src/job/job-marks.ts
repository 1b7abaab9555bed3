import { parseInstant } from '@kron/core'
import { longestName, shortened } from './job-name.js'

/** Labels and annotations that say which KronJob and period a Job belongs to. */
export const marks = {
  name: 'kron.io/name',
  periodId: 'kron.io/period-id',
  nominalTime: 'kron.io/nominal-time',
  chosenTime: 'kron.io/chosen-time',
  seedHash: 'kron.io/seed-hash',
  run: 'kron.io/run',
} as const

/** Everything under our prefix is ours, also what only a later version knows. */
export const isMark = (key: string): boolean => key.startsWith('kron.io/')

/** Label values have at most 63 characters. */
export const nameLabel = (kronJob: string): string => shortened(kronJob, longestName)

/** A label value has no colons: 2026-03-01T02-30-00Z. */
export const periodLabel = (periodId: string): string => periodId.replaceAll(':', '-')

/** The nominal time of a period id, as annotation or as label; null for anything else. */
export function nominalTimeOf(text: string | undefined): number | null {
  if (text === undefined) return null
  return instantOf(text.replace(/T(\d\d)-(\d\d)-(\d\d)Z$/, 'T$1:$2:$3Z'))
}

export function instantOf(text: unknown): number | null {
  if (typeof text !== 'string') return null
  try {
    return parseInstant(text)
  } catch {
    return null
  }
}
