/** What is kept of a task. Instants are epoch milliseconds. */
export interface TaskRecord {
  /** Given by the scheduler, never used again for another task as long as this one is stored. */
  readonly id: number
  readonly name: string
  readonly expression: string
  readonly retryDelayMs: number
  /** When the latest run started; null: it has never run. */
  readonly lastAttemptAt: number | null
  readonly lastSuccessAt: number | null
  readonly lastFailureAt: number | null
  /** Until when the failed run waits; null unless the task awaits a retry. */
  readonly pendingRetryUntil: number | null
  /** The instance whose run has a recorded start and no recorded end. */
  readonly runningInstance: string | null
  /** Minutes that it ran for when they were over, as text of the scheduler; null: none. */
  readonly madeUpFor: string | null
}
