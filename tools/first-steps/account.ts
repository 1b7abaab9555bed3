import { chmodSync, chownSync } from 'node:fs'

/** The account that does the steps; without a number, the account of this process. */
export interface Account {
  readonly uid?: number
  readonly gid?: number
}

const nobody = 65_534

/** Root's krontabs and state are those of the machine: for root, somebody else does the steps. */
export const unprivileged: Account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/** Hands a folder over, and keeps it readable for others. */
export function handOver(folder: string, { uid, gid }: Account): void {
  if (uid === undefined || gid === undefined) return
  chownSync(folder, uid, gid)
  chmodSync(folder, 0o755)
}
