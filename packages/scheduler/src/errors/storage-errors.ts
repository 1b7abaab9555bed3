import { messageOf } from '@kron/runtime'
import { named, SchedulerError } from './scheduler-error.js'

export interface StorageDetails {
  /** What was being done: `open`, `own`, `initialize`, `save`, `close`. */
  readonly operation: string
  /** Where the storage keeps things, if it says so: a file. */
  readonly place?: string
  /** Tasks whose starts or ends were to be written, the first of them. */
  readonly taskNames?: readonly string[]
  readonly cause: unknown
}

/** What a call of the storage was about. */
export interface StorageCall {
  readonly operation: string
  readonly place?: string | undefined
  readonly taskNames?: readonly string[]
}

const maxTaskNames = 10

/** The storage failed; its own error is in `details.cause`. */
export class StorageError extends SchedulerError<StorageDetails> {
  constructor({ operation, place, taskNames = [] }: StorageCall, cause: unknown) {
    const tasks = taskNames.length === 0 ? '' : ` ${tasksText(taskNames)}`
    const file = place === undefined ? '' : ` in ${place}`
    super(
      'KRON_STORAGE_FAILED',
      `Storage failed to ${operation}${tasks}${file}: ${messageOf(cause)}`,
      {
        operation,
        ...(place === undefined ? {} : { place }),
        ...(taskNames.length === 0 ? {} : { taskNames: taskNames.slice(0, maxTaskNames) }),
        cause,
      },
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
      `The schedule "${schedule}" in ${file} is in use by ${owner}: stop that process first, ` +
        "give this scheduler a file or schedule of its own, or take over with whenInUse: 'takeOver'",
      details,
    )
  }
  static {
    named(StorageInUseError, 'StorageInUseError')
  }
}

export interface StorageUnusableDetails {
  readonly reason: string
  readonly file?: string
  /** What the system or SQLite said, if it was one of them. */
  readonly cause?: unknown
}

/** The storage holds what this version can not read, or can not be used on this Node. */
export class StorageUnusableError extends SchedulerError<StorageUnusableDetails> {
  constructor(reason: string, about: { readonly file?: string; readonly cause?: unknown } = {}) {
    const options = about.cause === undefined ? {} : { cause: about.cause }
    super('KRON_STORAGE_UNUSABLE', reason, { reason, ...about }, options)
  }
  static {
    named(StorageUnusableError, 'StorageUnusableError')
  }
}

export interface StorageLostDetails {
  readonly file: string
  readonly reason: string
}

/** The file was deleted, replaced or truncated while it was in use; nothing starts any more. */
export class StorageLostError extends SchedulerError<StorageLostDetails> {
  constructor(file: string, reason: string) {
    super(
      'KRON_STORAGE_LOST',
      `${file} ${reason} while it was in use, so the records of its tasks are lost: put the file ` +
        'back, or call stop and initialize to start from what is there now',
      { file, reason },
    )
  }
  static {
    named(StorageLostError, 'StorageLostError')
  }
}

function tasksText(names: readonly string[]): string {
  const others = names.length > 1 ? ` and ${names.length - 1} more` : ''
  return `task ${JSON.stringify(names[0])}${others}`
}
