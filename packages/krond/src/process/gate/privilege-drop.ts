import type { Self } from '../accounts/accounts.js'
import type { Account } from '../processes.js'

/**
 * How a gate comes to be the account. `spawn` sets user and group and leaves no other group;
 * for others there is setpriv(1).
 */
export type PrivilegeDrop =
  | { readonly kind: 'none' }
  | { readonly kind: 'spawn'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'setpriv'; readonly options: readonly string[] }

export function privilegeDrop(account: Account | null, own: Self): PrivilegeDrop {
  if (account === null || isAlready(account, own)) return { kind: 'none' }
  const { uid, gid } = account
  if (otherGroups(account).length === 0) return { kind: 'spawn', uid, gid }
  const groups = sorted(account.groups).join(',')
  const options = [`--reuid=${uid}`, `--regid=${gid}`, `--groups=${groups}`, '--']
  return { kind: 'setpriv', options }
}

/** Supplementary groups apart from the group itself, which adds nothing to them. */
export function otherGroups({ gid, groups }: Pick<Self, 'gid' | 'groups'>): readonly number[] {
  return sorted(groups).filter((group) => group !== gid)
}

/** Only root may set its groups, even to what they are. */
function isAlready(account: Account, own: Self): boolean {
  return (
    own.uid !== 0 &&
    account.uid === own.uid &&
    account.gid === own.gid &&
    otherGroups(account).join() === otherGroups(own).join()
  )
}

const sorted = (groups: readonly number[]): number[] => [...new Set(groups)].sort((a, b) => a - b)
