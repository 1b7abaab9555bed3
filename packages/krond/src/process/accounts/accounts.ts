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
