import { named, SchedulerError } from './scheduler-error.js'

export interface StorageDetails {
  /** What was being done: `open`, `initialize`, `save`, `close`. */
  readonly operation: string
  readonly cause: unknown
}

/** The storage failed; its own error is in `details.cause`. */
export class StorageError extends SchedulerError<StorageDetails> {
  constructor(operation: string, cause: unknown) {
    super(
      'KRON_STORAGE_FAILED',
      `Storage failed to ${operation}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { operation, cause },
      { cause },
    )
  }
  static {
    named(StorageError, 'StorageError')
  }
}

export interface SupersededDetails {
  readonly instanceId: string
  /** Whose storage it is now. */
  readonly currentInstanceId: string | null
}

/**
 * Another scheduler has initialized on the same storage since. What this one wrote would undo what
 * that one has recorded, so it may not write, and therefore not start anything.
 */
export class SupersededError extends SchedulerError<SupersededDetails> {
  constructor(instanceId: string, currentInstanceId: string | null) {
    super(
      'KRON_STORAGE_SUPERSEDED',
      'another scheduler has initialized on this storage, so this one starts nothing any more',
      { instanceId, currentInstanceId },
    )
  }
  static {
    named(SupersededError, 'SupersededError')
  }
}

/** The storage holds what this version can not read, or can not be used on this Node. */
export class StorageUnusableError extends SchedulerError<{ readonly reason: string }> {
  constructor(reason: string) {
    super('KRON_STORAGE_UNUSABLE', reason, { reason })
  }
  static {
    named(StorageUnusableError, 'StorageUnusableError')
  }
}
