import { createHash } from 'node:crypto'
import { parseInstant } from '@kron/core'

/** Longest name whose label `job-name` Kubernetes can set on the Pods. */
export const longestName = 63
const hashLength = 10
const nameHashLength = 8

/**
 * The name of the Job of a period: the lock of that period, since a second one can't be created.
 * So it depends on nothing but the KronJob's name and the period.
 */
export function jobName(kronJob: string, periodId: string): string {
  return suffixed(kronJob, hashOf(periodId).slice(0, hashLength))
}

/** A name with an ending, of at most 63 characters; a long name is cut and told apart by a hash. */
export function suffixed(name: string, ending: string): string {
  return `${shortened(name, longestName - ending.length - 1)}-${ending}`
}

/** At most `most` characters that begin and end with a letter or digit, different for each name. */
export function shortened(name: string, most: number): string {
  if (name.length <= most) return name
  const kept = name.slice(0, most - nameHashLength - 1).replace(/[^a-z0-9]+$/, '')
  return `${kept}-${hashOf(name).slice(0, nameHashLength)}`
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

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
