/** Parts of a schedule beside its cron expression. */
export type SchedulePart = 'window' | 'distribution' | 'seed' | 'only' | 'avoid'

/** How things are written where people write them, for advice that they can copy. */
export interface Notation {
  /** The program that answers about schedules, such as `krontab`. */
  readonly program: string
  /** The command that finds what is doubtful, such as `krontab lint`. */
  readonly check: string
  /** What each part is called, such as `@dist`. */
  readonly parts: Readonly<Record<SchedulePart, string>>
  /** `@tz(UTC)`. */
  readonly utc: string
  /** A window after the nominal time: `@win(after,30m)`. */
  window(duration: string): string
  /** `@only(dow=...)`. */
  only(clause: string): string
  /** `sample=exact`. */
  readonly exact: string
  /** The same in its place: `@dist(uniform,sample=exact)`. */
  exactIn(distribution: string): string
  /** When a suspended job runs again: `suspend=false`. */
  readonly resumed: string
  /** How to name fewer jobs: `fewer files with --file`. */
  readonly fewerJobs: string
}
