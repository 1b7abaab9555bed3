import { type IncompatibleStateError, quote } from '@kron/core'
import { incompatible } from './state-failure.js'
import { currentVersion, isFields, type StateFields } from './state-fields.js'

/**
 * Turns the fields of one version into those of a later one, `Version` included. It depends on
 * nothing but its argument, and keeps `LastHandledPeriodID`: without it a period could run twice.
 */
export type Migration = (fields: StateFields) => StateFields

/** By the version they begin with. */
export type Migrations = ReadonlyMap<string, Migration>

/** There was no version before "1". */
export const migrations: Migrations = new Map()

/** How versions are written. Damage almost never turns one into another valid one. */
const versionNumber = /^\d+(?:\.\d+)*$/

/** Refuses what names a version that we don't know, before anybody looks at its checksum. */
export function checkVersion(fields: StateFields, table: Migrations, file: string): void {
  const version = fields['Version']
  if (typeof version !== 'string' || !versionNumber.test(version)) return
  if (version === currentVersion || table.has(version)) return
  throw unknownVersion(version, version, table, file)
}

/** The fields in the current version, or an IncompatibleStateError. */
export function migrated(fields: StateFields, table: Migrations, file: string): StateFields {
  const found = fields['Version']
  const seen = new Set<unknown>()
  for (let now = fields; ; ) {
    const version = now['Version']
    if (version === currentVersion) return now
    const migration = typeof version === 'string' ? table.get(version) : undefined
    if (migration === undefined || seen.has(version)) {
      throw unknownVersion(version, found, table, file)
    }
    seen.add(version)
    now = step(now, migration, file)
  }
}

function unknownVersion(
  value: unknown,
  version: unknown,
  table: Migrations,
  file: string,
): IncompatibleStateError {
  const allowed = [currentVersion, ...table.keys()].map((name) => `"${name}"`).join(', ')
  const advice = 'another version of krond wrote it, and only that version can read it'
  return incompatible(file, { field: 'Version', value, allowed, version, advice })
}

function step(fields: StateFields, migration: Migration, file: string): StateFields {
  const version = fields['Version']
  const before = fields['LastHandledPeriodID']
  const allowed = `a migration from version ${quote(version)} that keeps the handled period`
  let after: unknown
  try {
    after = migration(fields)
  } catch (cause) {
    throw incompatible(file, { field: 'Version', value: version, allowed, version }, cause)
  }
  if (isFields(after) && (before === undefined || after['LastHandledPeriodID'] === before)) {
    return after
  }
  throw incompatible(file, { field: 'LastHandledPeriodID', value: before, allowed, version })
}
