import type { Decision } from '@kron/core'
import {
  type ActiveExecution,
  type HandledPeriod,
  type HistoryEntry,
  runningIn,
} from '../state/index.js'
import type { HostJob, JobRecord } from './job-record.js'

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

export function viewOf(record: JobRecord): JobView {
  const { hostJob, planned, state } = record
  return {
    hostJob,
    phase: phaseOf(record),
    get planned() {
      return planned === null ? null : hostJob.job.decide(planned.nominalTime)
    },
    responsibleSince: record.responsibleSince,
    last: state.last,
    running: runningIn(state),
    history: state.history,
  }
}

function phaseOf({ busy, queued, suspended, planned }: JobRecord): JobPhase {
  if (busy) return 'starting'
  if (queued) return 'queued'
  if (suspended) return 'suspended'
  return planned === null ? 'finished' : 'waiting'
}
