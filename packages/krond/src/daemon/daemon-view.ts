import type { Decision } from '@kron/core'
import type { ActiveExecution, HandledPeriod, HistoryEntry } from '../state/index.js'
import type { HostJob } from './host-job.js'

/** What others may see of a running daemon. */
export interface DaemonView {
  /** Whether state was recovered and the loop runs. */
  readonly ready: boolean
  readonly startedAt: number
  jobs(): Iterable<JobView>
  /** By identity, or by name when only one job has it. */
  job(identityOrName: string): JobView | undefined
}

export interface JobView {
  readonly hostJob: HostJob
  readonly phase: JobPhase
  /** The period that is handled next; null when suspended or when none comes. */
  readonly planned: Decision | null
  /** Since when this host answers for the job with its present timing. */
  readonly responsibleSince: number | null
  readonly last: HandledPeriod | null
  readonly running: readonly ActiveExecution[]
  readonly history: readonly HistoryEntry[]
}

/**
 * `waiting`: for its time. `queued`: its time has come, and it waits for a place to run.
 * `starting`: a start is being attempted.
 */
export type JobPhase = 'waiting' | 'queued' | 'starting' | 'suspended' | 'finished'
