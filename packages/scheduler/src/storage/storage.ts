import type { TaskRecord } from '../task/task-record.js'

/** What a storage holds. */
export interface StoredSchedule {
  /** Made at the first initialization; null: there has been none. */
  readonly schedulerId: string | null
  /** The instance that initialized last. */
  readonly instanceId: string | null
  /** Stretches through which schedulers have watched the clock, as text of their own. */
  readonly watched: string | null
  /** As found, in any order, to be gone through once, by `decide`; who reads them checks them. */
  readonly tasks: Iterable<unknown>
}

/** What an initialization changes, all of it or nothing. */
export interface ScheduleChange {
  readonly schedulerId: string
  readonly instanceId: string
  readonly watched: string
  /** Ids of tasks that are no longer registered. */
  readonly removed: readonly number[]
  /** Records with an id that is not stored yet. */
  readonly added: Iterable<TaskRecord>
  /** Records in the place of those with the same id. */
  readonly replaced: Iterable<TaskRecord>
}

/** What `initialize` does when a living process owns the storage already. */
export type WhenInUse = 'refuse' | 'takeOver'

/**
 * Where a scheduler keeps what must outlive it. One storage serves one scheduler at a time: the
 * last to initialize owns it, and an earlier one is refused from then on.
 *
 * Each call is all or nothing, and resolves when what it wrote would survive a crash. A call that
 * rejects may have been done nevertheless; schedulers can cope with that.
 */
export interface Storage {
  /** Where it keeps things, for what people read: the path of a file. */
  readonly place?: string
  /** Before any other call. Every `open` is paired with one `close`; the last one ends the use. */
  open(): Promise<void>
  /**
   * Between `open` and `change`: makes this process the owner until the last `close`, or until it
   * dies, in whatever way. Resolves with whether another process that lives is taken over; with
   * 'refuse' it rejects instead, with a StorageInUseError. A process never refuses itself. A storage
   * without this method can't tell, so every scheduler takes over, as if nobody else lived.
   */
  own?(whenInUse: WhenInUse): Promise<boolean>
  /**
   * In one transaction that nobody else can write into: shows what is stored, and does what
   * `decide` answers. `decide` runs synchronously; what it throws ends the transaction unchanged.
   */
  change(decide: (stored: StoredSchedule) => ScheduleChange): Promise<void>
  /**
   * In one transaction: rejects with a SupersededError unless `instanceId` is that of the latest
   * change, replaces the records of the same ids (only what `started`, `succeeded` and `failed`
   * change differs; an id that is not stored is an error), and `watched`.
   */
  save(instanceId: string, records: readonly TaskRecord[], watched: string): Promise<void>
  close(): Promise<void>
}

/** A record was to take the place of one that is not there. */
export const unknownTask = ({ id, name }: Pick<TaskRecord, 'id' | 'name'>): Error =>
  new Error(`no task with the id ${id} is stored, which ${JSON.stringify(name)} should have`)
