/** One task, as a program would have it before it meets a scheduler. */
export interface Task {
  readonly name: string
  readonly expression: string
  readonly callback: () => Promise<void>
}

export interface Surroundings {
  /** A folder on disk that outlives the process, for those who keep state. */
  readonly folder: string
  /** The minute at which tasks are due: for the floor only, which has no cron. */
  readonly boundary: number
}

/** Registers all tasks, is ready when it resolves, and gives what ends it. */
export type Register = (
  tasks: readonly Task[],
  surroundings: Surroundings,
) => Promise<() => Promise<void>>

/** For those who end with the process. */
export const nothingToStop = async (): Promise<void> => {}
