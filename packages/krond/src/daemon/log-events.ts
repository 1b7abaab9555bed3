/** Of the log: since 2 it names every job that is not planned, and every jump of the clock. */
export const logVersion = 2

/**
 * The lines of krond's log that its contract can be proven from, as `krond audit` does. Each has
 * `time`, `level`, `component` and `event` as well; instants are RFC 3339 UTC, lengths are ms.
 */
export interface LogEvents {
  /** The daemon runs. A new life begins: executions of the one before are `recovered` or gone. */
  start: {
    version: string
    tzdata: string
    state: string
    jobs: number
    pid: number
    log_version?: typeof logVersion
    /** Changes when the machine starts: then the last lines before may not have been written. */
    boot_id?: string | null
  }
  /** A period was planned. `schedule` is the whole schedule text, so that all can be recomputed. */
  decision: OfPeriod & {
    schedule: string
    dialect: string
    nominal_time: string
    window_start: string
    window_end: string
    chosen_time: string | null
    timezone: string
    /** The time zone database of the decision. */
    tzdata?: string
    distribution: unknown
    seed_strategy: string
    salt: string
    seed_hash: string
    attempts: number
    constraints_applied: unknown
    reason?: string
  }
  /**
   * A planned period moved: it is tried again, a reload or the clock brought it a new time, or it
   * waits in the queue for a place to run, until `due` at the latest.
   */
  reschedule: OfPeriod & { due: string; reason: 'retry' | 'reload' | 'clock' | 'queue' }
  /**
   * A period that was due before the daemon answered for the job with its present timing. It gets
   * no outcome; the one after it is planned.
   */
  not_responsible: OfPeriod & { due: string; responsible_since: string }
  /**
   * No period of the job is planned: it is suspended, its schedule has no further period, or it is
   * not in the configuration any more. Every job of a daemon has this or a decision.
   */
  unplanned: {
    identity: string
    reason: 'suspended' | 'finished' | 'removed'
    schedule: string
    dialect: string
  }
  /** A period was due and has its verdict, which was given at `judged_at`. */
  trigger: OfPeriod & { verdict: string; late_ms: number; judged_at?: string }
  /** Written to disk as executed, and released. */
  started: OfPeriod & { outcome: 'executed'; pid: number }
  /**
   * `exit_code` is null when unknown or when a signal ended it. Any other than 0 is an error of the
   * execution, and has what the error model wants of one.
   */
  completed: OfPeriod & {
    pid: number
    exit_code: number | null
    signal: string | null
    duration_ms: number
  } & Partial<ExecutionFailure>
  skipped_concurrency: OfPeriod & { outcome: 'skipped'; reason: string }
  skipped_superseded: OfPeriod & { outcome: 'skipped'; reason: string }
  missed_deadline: OfPeriod & { outcome: 'missed'; reason: string }
  constraint_unsatisfiable: OfPeriod & { outcome: 'unschedulable'; reason: string }
  /** An execution was ended so that the period may start. */
  replaced: OfPeriod & { replaced_period_id: string; pid: number }
  /** An execution ran longer than its timeout and is being ended. */
  timed_out: OfPeriod & { pid: number; timeout_ms: number }
  /** An execution that a former life of the daemon started; `alive` if it still runs. */
  recovered: OfPeriod & { pid: number; alive: boolean }
  /** A state file could not be read; the period that was current counts as handled. */
  state_lost: {
    identity: string
    period_id: string | null
    error_type: string
    operation: string
    message: string
    moved_to: string
  }
  reload: { jobs: number; added: number; changed: number; removed: number }
  clock_jump: { from: string; to: string; jump_ms: number }
  /** A line that a job wrote. */
  output: OfPeriod & { stream: 'stdout' | 'stderr'; line: string }
  /** What runs, and how many jobs there are; none while they are still being taken up. */
  stop: { running: number; jobs?: number }
  /** The daemon ends before its executions do; the next one takes them up. */
  left: { running: number }
}

interface OfPeriod {
  identity: string
  period_id: string
}

interface ExecutionFailure {
  error_type: 'ExecutionError'
  operation: 'run_job'
  message: string
}

/** Nothing for an execution that ended well, or in a way that is not known. */
export function failureOf(exitCode: number | null): Partial<ExecutionFailure> {
  if (exitCode === null || exitCode === 0) return {}
  const message = `the command ended with exit code ${exitCode}`
  return { error_type: 'ExecutionError', operation: 'run_job', message }
}

export type EventName = keyof LogEvents
export type EventLevel = 'info' | 'warn' | 'error'

const levels: Partial<Record<EventName, EventLevel>> = {
  constraint_unsatisfiable: 'warn',
  timed_out: 'warn',
  state_lost: 'error',
}

/**
 * A clock that went back is worth a warning: jobs may stand still for as long. An execution that
 * failed is an error if it says so, which older logs do not.
 */
export function levelOf(event: EventName, fields: object): EventLevel {
  if (event === 'completed') return 'error_type' in fields ? 'error' : 'info'
  if (event === 'clock_jump')
    return 'jump_ms' in fields && Number(fields.jump_ms) < 0 ? 'warn' : 'info'
  return levels[event] ?? 'info'
}
