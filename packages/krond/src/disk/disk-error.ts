/** Why a call of a disk failed, in the form in which Node reports it. */
export class DiskError extends Error {
  readonly code: string
  readonly path: string

  constructor(code: string, operation: string, path: string) {
    super(`${code}: ${operation} '${path}'`)
    this.code = code
    this.path = path
  }

  static {
    Object.defineProperty(DiskError.prototype, 'name', { value: 'DiskError', configurable: true })
  }
}

/** `ENOENT`, `EIO`, ...; null when the error does not come from a disk. */
export function errnoOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? code : null
}

const errnoWords: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of the path is a file',
}

/** The code, and what it means where that is worth saying. */
export const errnoText = (code: string): string =>
  Object.hasOwn(errnoWords, code) ? `${code}, ${errnoWords[code]}` : code
