/** What the kernel says about a file or folder, as far as trust goes. */
export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly uid: number
  /** Permission bits with the sticky bit, such as 0o1777. */
  readonly mode: number
}

const stickyBit = 0o1000
const writableByOthers = 0o022

export const isSticky = ({ mode }: FileFacts): boolean => (mode & stickyBit) !== 0
export const othersMayWrite = ({ mode }: FileFacts): boolean => (mode & writableByOthers) !== 0
