import { type Job, type PlannedPeriod, scheduleText } from '@kron/core'
import type { ExitStatus, RunSettings } from '../process/index.js'
import type { ActiveExecution, JobState } from '../state/index.js'
import type { Watch } from './watch.js'

/** A job of this host, wherever it was written down: when it runs and how. */
export interface HostJob {
  /** `<absolute path of the file>:<name>`. */
  readonly identity: string
  readonly name: string
  readonly job: Job
  readonly settings: RunSettings
}

/** Shared by the many jobs of which nothing runs. */
const none: readonly Execution[] = Object.freeze([])

/** A job of the running daemon: its definition, what is on disk about it, and what goes on. */
export class JobRecord {
  hostJob: HostJob
  /** What is on disk, or will be when the writes under way are done. */
  state: JobState
  planned: PlannedPeriod | null = null
  /** Why nothing is planned, if that is in the log already. */
  unplanned: 'suspended' | 'finished' | null = null
  /** A period of it is being started or settled; until then no other is planned. */
  busy = false
  /** The planned period is due and waits for a place to run. */
  queued = false
  /** The period that this host was not responsible for, if that is in the log already. */
  passedOver: number | null = null
  /** Attempts at the planned period that failed. */
  failures = 0
  /** No longer in the configuration; kept while something of it still runs. */
  retired = false
  /** Those that run. */
  executions: readonly Execution[] = none
  /** Executions that are over, but whose end is not on disk. */
  #endings = 0

  constructor(hostJob: HostJob, state: JobState) {
    this.hostJob = hostJob
    this.state = state
  }

  began(execution: Execution): void {
    this.executions = [...this.executions, execution]
  }

  ended(execution: Execution): void {
    const left = this.executions.filter((other) => other !== execution)
    this.executions = left.length === 0 ? none : left
    this.#endings++
  }

  endIsOnDisk(): void {
    this.#endings--
  }

  get identity(): string {
    return this.hostJob.identity
  }

  get handledThrough(): number | null {
    return this.state.last?.nominal ?? null
  }

  get responsibleSince(): number | null {
    return this.state.responsibility?.since ?? null
  }

  get suspended(): boolean {
    return this.hostJob.job.policy.suspend
  }

  get isIdle(): boolean {
    return !this.busy && this.executions.length === 0 && this.#endings === 0
  }

  /** Whether a new definition means the same, so that nothing needs to be planned again. */
  isDefinedAs({ job, settings }: HostJob): boolean {
    return (
      scheduleText(job) === scheduleText(this.hostJob.job) &&
      job.spec.dialect === this.hostJob.job.spec.dialect &&
      JSON.stringify(settings) === JSON.stringify(this.hostJob.settings)
    )
  }
}

/** A process of a job that runs: started by this daemon, or by one before it. */
export interface Execution {
  readonly record: JobRecord
  readonly active: ActiveExecution
  readonly timeoutMs: number | null
  /** Resolves when the process is gone. Of a process that is not our child, all is unknown. */
  readonly exited: Promise<ExitStatus>
  /** Of a process that is not our child. */
  readonly watch?: Watch
}
