import type { Disk, DiskFile } from './disk.js'

export type CallKind = keyof Disk | keyof DiskFile

export interface DiskCall {
  readonly kind: CallKind
  readonly path: string
}

export type FaultCode = 'EIO' | 'ENOSPC' | 'EMFILE'

export type Fault =
  /** The call has no effect and says so. */
  | { readonly kind: 'refused'; readonly code: FaultCode }
  /** The call has its effect, and says that it failed. */
  | { readonly kind: 'done-but-failed'; readonly code: FaultCode }
  /** Half of the bytes are written, and that number is answered; other calls are not affected. */
  | { readonly kind: 'short-write' }

export interface FaultPlan {
  readonly fault: Fault
  /** Which call fails, the first is 1. */
  readonly call: number
  /** Counts only calls of this kind; all of them when left out. */
  readonly of?: CallKind
  /** Whether all later calls, of that kind if one is given, fail as well (default false). */
  readonly forever?: boolean
}
