import { chownSync } from 'node:fs'

/** Under which ids PostgreSQL runs; empty: under our own. */
export type Account = { readonly uid: number; readonly gid: number } | Record<string, never>

/** The user "nobody" on systems that have it, and just a number on others. */
const unprivileged = 65_534

/** PostgreSQL refuses to run as root. */
export const serverAccount = (): Account =>
  process.getuid?.() === 0 ? { uid: unprivileged, gid: unprivileged } : {}

export function giveFolderTo(account: Account, folder: string): void {
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid)
}
