import { createHash } from 'node:crypto'

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
