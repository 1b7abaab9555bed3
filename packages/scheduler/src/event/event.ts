import type { FailureReason } from '../failure/failure-reason.js'

/** Everything that the scheduler emits, in the order in which it happened. */
export type SchedulerEvent =
  | SchedulerInitializationStarted
  | SchedulerInitializationCompleted
  | SchedulerInitializationFailed
  | SchedulerStopRequested
  | SchedulerStopped
  | PollingStarted
  | PollingStopRequested
  | PollingStopped
  | TaskRunStarted
  | TaskRunCompleted
  | TaskRunFailed
  | TaskRetryStarted
  | TaskRetryPreempted
  | StorageFailed
  | StorageUnresponsive
  | PollingDelayed
  | ClockSetBack
  | HostZoneDiffers
  | HostZoneUnnamed

interface Event<Type extends string> {
  readonly type: Type
  readonly time: Date
}

/** What was thrown, and the same as plain data: JSON keeps nothing of an Error. */
interface Failed {
  readonly error: unknown
  readonly failure: FailureReason
}

interface TaskEvent<Type extends string> extends Event<Type> {
  readonly taskName: string
}

export interface SchedulerInitializationStarted extends Event<'SchedulerInitializationStarted'> {
  readonly registrations: number
}

/** How many tasks were found to be what. */
export interface SchedulerInitializationCompleted
  extends Event<'SchedulerInitializationCompleted'> {
  readonly schedulerId: string
  readonly instanceId: string
  readonly newTasks: number
  readonly preservedTasks: number
  readonly overriddenTasks: number
  readonly orphanedTasks: number
  readonly removedTasks: number
}

export interface SchedulerInitializationFailed
  extends Event<'SchedulerInitializationFailed'>,
    Failed {}

export interface SchedulerStopRequested extends Event<'SchedulerStopRequested'> {
  readonly runningTasks: number
}

export interface SchedulerStopped extends Event<'SchedulerStopped'> {}

export interface PollingStarted extends Event<'PollingStarted'> {
  readonly tasks: number
}

export interface PollingStopRequested extends Event<'PollingStopRequested'> {}

export interface PollingStopped extends Event<'PollingStopped'> {}

/** Why a run starts: its minute has come, or a run of an earlier instance never ended. */
export type RunReason = 'cron' | 'orphaned'

/** The minute that a run is for. */
export interface Scheduled {
  /** Never after `time`. Null for an orphan that owes none, and where the next field has it. */
  readonly scheduledFor: Date | null
  /** The minute, if it was due before the clock was set back, and on the clock is still to come. */
  readonly scheduledBeforeSetBack?: Date
}

/** The start is recorded; the callback is invoked right after. */
export interface TaskRunStarted extends TaskEvent<'TaskRunStarted'>, Scheduled {
  readonly lastAttemptAt: Date
  readonly reason: RunReason
}

export interface TaskRetryStarted extends TaskEvent<'TaskRetryStarted'> {
  readonly lastAttemptAt: Date
  /** From when on the retry was allowed. */
  readonly pendingRetryUntil: Date
}

/** A cron minute came before the time of the retry; a TaskRunStarted follows. */
export interface TaskRetryPreempted extends TaskEvent<'TaskRetryPreempted'>, Scheduled {
  readonly pendingRetryUntil: Date
}

/** The end is recorded. */
export interface TaskRunCompleted extends TaskEvent<'TaskRunCompleted'> {
  readonly lastAttemptAt: Date
  readonly lastSuccessAt: Date
}

/** The end is recorded. */
export interface TaskRunFailed extends TaskEvent<'TaskRunFailed'>, Failed {
  readonly lastAttemptAt: Date
  readonly lastFailureAt: Date
  readonly pendingRetryUntil: Date
}

/**
 * The storage failed while polling; it is tried again at `retryAt`. That is null if another
 * scheduler owns it now, or if a stop goes on without it.
 */
export interface StorageFailed extends Event<'StorageFailed'>, Failed {
  readonly retryAt: Date | null
}

/** A call of the storage has no answer yet; nothing starts, and `stop` waits, until it has one. */
export interface StorageUnresponsive extends Event<'StorageUnresponsive'> {
  /** What was being done: `open`, `own`, `initialize`, `save`, `close`. */
  readonly operation: string
  /** Where the storage keeps things, if it says so. */
  readonly place: string | null
  readonly silentMs: number
}

/** Polling went on more than a minute late: the host slept, was busy, or its clock was set forward. */
export interface PollingDelayed extends Event<'PollingDelayed'> {
  readonly expectedAt: Date
  readonly delayMs: number
}

/** The host's clock shows an earlier time than before. */
export interface ClockSetBack extends Event<'ClockSetBack'> {
  readonly from: Date
}

/** Tasks follow the clock of the host, which shows other times than the database that Kron has. */
export interface HostZoneDiffers extends Event<'HostZoneDiffers'> {
  readonly timeZone: string
  /** The first instant, from now on, at which they differ. */
  readonly from: Date
  readonly hostOffsetMinutes: number
  readonly databaseOffsetMinutes: number
  readonly databaseVersion: string
}

/** Tasks follow the clock of the host, whose TZ names no zone; Node may read it in its own way. */
export interface HostZoneUnnamed extends Event<'HostZoneUnnamed'> {
  readonly TZ: string
  readonly hostOffsetMinutes: number
}
