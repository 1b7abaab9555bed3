import { named, SchedulerError } from './scheduler-error.js'

export interface StorageDetails {
  /** What was being done: `open`, `own`, `initialize`, `save`, `close`. */
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

export interface StorageInUseDetails {
  readonly file: string
  readonly schedule: string
  /** Of the owner, as its latest start noted them; null if it has noted none yet. */
  readonly processId: number | null
  readonly host: string | null
}

/** Another process owns the storage and lives; nothing was changed. */
export class StorageInUseError extends SchedulerError<StorageInUseDetails> {
  constructor(details: StorageInUseDetails) {
    const { file, schedule, processId, host } = details
    const owner = processId === null ? 'another process' : `process ${processId} on ${host}`
    super(
      'KRON_STORAGE_IN_USE',
      `The schedule "${schedule}" in ${file} is in use by ${owner}: stop that one first, ` +
        "give this one a file or a schedule of its own, or take over with whenInUse: 'takeOver'",
      details,
    )
  }
  static {
    named(StorageInUseError, 'StorageInUseError')
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
