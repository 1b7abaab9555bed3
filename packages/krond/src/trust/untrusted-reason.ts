/** What the kernel says about a file or folder, as far as trust goes. */
export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly uid: number
  /** Permission bits with the sticky bit, such as 0o1777. */
  readonly mode: number
}

const stickyBit = 0o1000
const writableByOthers = 0o022

const isSticky = ({ mode }: FileFacts): boolean => (mode & stickyBit) !== 0
const othersMayWrite = ({ mode }: FileFacts): boolean => (mode & writableByOthers) !== 0

export interface Distrust {
  readonly reason: string
  /** A command that fixes it. */
  readonly fix: string
}

/**
 * Why a file that says which commands run must not be believed; null when only root and the user
 * `uid` can have written it. `facts` are those of the file itself, not of what a link points to.
 */
export function untrustedReason(path: string, facts: FileFacts, uid: number): Distrust | null {
  if (facts.kind === 'link') {
    return { reason: 'is a symbolic link', fix: 'put the file itself there' }
  }
  if (facts.kind !== 'file') return { reason: 'is not a regular file', fix: 'remove it' }
  return ownerReason(path, facts, uid) ?? writeReason(path, facts)
}

/**
 * The same for a folder above the file: others who may write there can put another file in its
 * place, unless the sticky bit keeps people from renaming what is not theirs.
 */
export function untrustedFolderReason(
  path: string,
  facts: FileFacts,
  uid: number,
): Distrust | null {
  const stranger = ownerReason(path, facts, uid)
  if (stranger !== null || facts.kind === 'link') return stranger
  return isSticky(facts) ? null : writeReason(path, facts)
}

function ownerReason(path: string, facts: FileFacts, uid: number): Distrust | null {
  if (facts.uid === 0 || facts.uid === uid) return null
  const allowed = uid === 0 ? 'root' : `root or user ${uid}`
  return {
    reason: `belongs to user ${facts.uid}, it must belong to ${allowed}`,
    fix: `chown ${uid} ${quoted(path)}`,
  }
}

function writeReason(path: string, facts: FileFacts): Distrust | null {
  if (!othersMayWrite(facts)) return null
  const mode = (facts.mode & 0o7777).toString(8).padStart(4, '0')
  return {
    reason: `can be written by group or others (mode ${mode})`,
    fix: `chmod go-w ${quoted(path)}`,
  }
}

/** For a shell. */
const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
