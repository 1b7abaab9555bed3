import { ConfigurationError, quote } from '@kron/core'
import type { Account } from '../processes.js'

/** The users and groups that this machine knows, from files, a directory service or a test. */
export interface Accounts {
  /** By name, or by number when it is one; null when there is none. */
  user(nameOrUid: string): UserEntry | null
  group(nameOrGid: string): GroupEntry | null
  /** All groups of a user, the primary one among them or not. */
  groupsOf(userName: string): readonly number[]
}

export interface UserEntry {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
}

export interface GroupEntry {
  readonly name: string
  readonly gid: number
}

/** The user and groups that this process has. */
export interface Self {
  readonly uid: number
  readonly gid: number
  readonly groups: readonly number[]
}

export interface AccountNames {
  readonly user?: string | undefined
  readonly group?: string | undefined
}

/**
 * Who `user=` and `group=` mean; null when neither is given.
 *
 * | given | user | group | supplementary groups |
 * | --- | --- | --- | --- |
 * | user | that one | its primary one | those of the user |
 * | user and group | that one | that one | those of the user |
 * | group | as this process | that one | none |
 *
 * Without root nobody can become another user or change groups: only the names of what this process
 * is already are accepted, and its supplementary groups stay.
 */
export function resolveAccount(
  { user, group }: AccountNames,
  accounts: Accounts,
  self: Self,
): Account | null {
  if (user === undefined && group === undefined) return null
  const entry = user === undefined ? ownEntry(accounts, self) : userOf(user, accounts)
  const gid = group === undefined ? entry.gid : gidOf(group, accounts)
  const { name, uid, home } = entry
  if (self.uid !== 0) {
    if (uid !== self.uid) throw notAllowed('user', user ?? name, self.uid)
    if (gid !== self.gid) throw notAllowed('group', group ?? `${gid}`, self.gid)
    return account(name, uid, gid, self.groups, home)
  }
  const groups = user === undefined ? [] : accounts.groupsOf(name)
  return account(name, uid, gid, groups, home)
}

function account(
  name: string,
  uid: number,
  gid: number,
  groups: readonly number[],
  home: string,
): Account {
  const sorted = [...new Set(groups)].sort((a, b) => a - b)
  return Object.freeze({ name, uid, gid, groups: Object.freeze(sorted), home })
}

function ownEntry(accounts: Accounts, { uid, gid }: Self): UserEntry {
  const entry = accounts.user(`${uid}`)
  return { name: entry?.name ?? `${uid}`, home: entry?.home ?? '/', uid, gid }
}

function userOf(user: string, accounts: Accounts): UserEntry {
  const entry = accounts.user(user)
  if (entry === null) throw unknown('user', user)
  return entry
}

function gidOf(group: string, accounts: Accounts): number {
  const entry = accounts.group(group)
  if (entry === null) throw unknown('group', group)
  return entry.gid
}

function unknown(field: 'user' | 'group', value: string): ConfigurationError {
  const message = `${field} ${quote(value)} does not exist on this machine`
  const details = { field, value, allowed: `a ${field} that the system knows` }
  return new ConfigurationError('KRON_ACCOUNT_UNKNOWN', message, details)
}

function notAllowed(field: 'user' | 'group', value: string, own: number): ConfigurationError {
  const allowed = `the ${field} of krond itself (${own}), unless krond runs as root`
  return new ConfigurationError(
    'KRON_ACCOUNT_UNKNOWN',
    `${field} must be ${allowed}, got ${quote(value)}`,
    { field, value, allowed },
  )
}
