import { StorageUnusableError } from '../errors/index.js'

/** The one that a file holds when nobody names any. */
export const defaultSchedule = 'default'

/**
 * Names of tables and of lock files contain it, so it has no capitals (some file systems don't
 * tell them apart), no dot and nothing that means something to a shell.
 */
const allowed = /^[a-z0-9][a-z0-9_-]{0,62}$/

export function checkScheduleName(name: unknown): string {
  if (typeof name === 'string' && allowed.test(name)) return name
  throw new StorageUnusableError(
    'sqliteStorage takes a schedule of lower-case letters, digits, - and _, at most 63 of them ' +
      `and a letter or digit first, got ${JSON.stringify(name)}`,
  )
}

/** What names that belong to this schedule end with. */
export const suffixOf = (schedule: string): string =>
  schedule === defaultSchedule ? '' : `-${schedule}`
