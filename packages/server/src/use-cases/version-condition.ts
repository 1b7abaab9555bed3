import { ServiceError } from './service-error.js'

/** The versions that a caller expects to find; null when any will do. */
export type VersionCondition = readonly number[] | null

export function checkVersion(condition: VersionCondition, version: number): void {
  if (condition === null || condition.includes(version)) return
  throw new ServiceError(
    'precondition_failed',
    `It has been changed in the meantime: its version is ${version}. Read it again first.`,
  )
}
