/** What one contender is to do in one round. */
export interface Assignment {
  /** When all are due, in ms since the epoch; on a full minute for those who have cron only. */
  readonly dueAt: number
  readonly count: number
  /** The request of run `id`, 0 to count - 1, is a GET of this and the id. */
  readonly targetUrl: string
}

/** What a contender may use; the same for all rounds of a process. */
export interface Surroundings {
  /** A database of its own, on a server that all share. */
  readonly databaseUrl: string
  /** A folder of its own, on the disk. */
  readonly folder: string
}

/** One way to send requests when they are due, in a process of its own. */
export interface Contender {
  /** Stores what is due, for one round; nothing may be sent yet. */
  prepare(assignment: Assignment): Promise<void>
  /**
   * Called right after `prepare`, before the time. Works off the round, and resolves when each
   * run is recorded as ended.
   */
  run(): Promise<void>
  /** After a round: others are measured before the next one, and must not be disturbed. */
  rest(): Promise<void>
}

export type CreateContender = (surroundings: Surroundings) => Promise<Contender>
