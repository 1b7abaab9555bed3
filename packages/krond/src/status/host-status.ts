import { formatInstant, responsibilityFor, scheduleText } from '@kron/core'
import { messageOf } from '@kron/runtime'
import type { ConfigurationSources } from '../configuration/read-configuration.js'
import type { RunningDaemon } from '../control/daemon-contact.js'
import type { HostJob } from '../daemon/index.js'
import { nextPeriod, runFrom } from '../daemon/next-period.js'
import type { ReadableDisk } from '../disk/disk.js'
import type { LockInfo } from '../lock/holder-file.js'
import {
  decodeState,
  emptyState,
  type JobState,
  migrations,
  runningIn,
  stateFileName,
} from '../state/index.js'

/** What a host does and will do, as JSON has it. */
export interface HostStatus {
  readonly daemon: {
    readonly running: boolean
    readonly pid: number | null
    readonly started_at: string | null
    /** Starts that wait for a place to run, of `--max-running`. */
    readonly waiting: number
  }
  readonly state: string
  /** The files and folders that the jobs are read from. */
  readonly krontabs: readonly string[]
  readonly crontabs: readonly string[]
  readonly jobs: readonly JobStatus[]
}

export interface JobStatus {
  readonly identity: string
  readonly name: string
  readonly schedule: string
  readonly suspended: boolean
  /** Whether its time has come and it waits for a place to run. */
  readonly queued: boolean
  /** Since when krond answers for it with its present timing; null when it has not seen it. */
  readonly responsible_since: string | null
  /** The next run; null when none comes. */
  readonly next: { readonly period_id: string; readonly chosen_time: string } | null
  readonly last: {
    readonly period_id: string
    readonly outcome: string
    readonly exit_code: number | null
  } | null
  readonly running: readonly { readonly period_id: string; readonly pid: number }[]
  /** Why nothing is known of the job. */
  readonly problem: string | null
}

/** Reads only: neither the daemon nor its files are touched. */
export function hostStatus(
  jobs: readonly HostJob[],
  { krontabs, crontabs }: ConfigurationSources,
  folder: string,
  now: number,
  disk: ReadableDisk,
  daemon: RunningDaemon | null,
): HostStatus {
  const startedAt = daemon?.info['startedAt']
  const waiting = waitingIn(daemon?.info)
  return {
    daemon: {
      running: daemon !== null,
      pid: daemon?.pid ?? null,
      started_at: typeof startedAt === 'string' ? startedAt : null,
      waiting: waiting.count,
    },
    state: folder,
    krontabs,
    crontabs,
    jobs: jobs.map((job) => ({
      ...jobStatus(job, folder, now, disk),
      queued: waiting.identities.has(job.identity),
    })),
  }
}

function waitingIn(info: LockInfo = {}): { count: number; identities: Set<unknown> } {
  const { waiting, waitingCount } = info
  return {
    count: typeof waitingCount === 'number' ? waitingCount : 0,
    identities: new Set(Array.isArray(waiting) ? waiting : []),
  }
}

function jobStatus(
  { identity, name, job }: HostJob,
  folder: string,
  now: number,
  disk: ReadableDisk,
): Omit<JobStatus, 'queued'> {
  const found = readState(identity, folder, disk)
  const state = typeof found === 'string' ? emptyState(identity) : found
  const { last, history, responsibility } = state
  const suspended = job.policy.suspend
  const handledThrough = last?.nominal ?? null
  const { since } = responsibilityFor(job.timing, responsibility, handledThrough, now, now)
  // A time to come was noted by a clock that has been set back since; the daemon takes it for now.
  const { decision } = nextPeriod(job, now, handledThrough, Math.min(since, now))
  const run = suspended || decision === null ? null : runFrom(job, decision)
  const lastEntry = history.findLast((entry) => entry.nominal === last?.nominal)
  return {
    identity,
    name,
    schedule: scheduleText(job),
    suspended,
    responsible_since: responsibility === null ? null : formatInstant(since),
    next:
      run === null
        ? null
        : {
            period_id: formatInstant(run.nominalTime),
            chosen_time: formatInstant(run.chosenTime),
          },
    last:
      last === null
        ? null
        : {
            period_id: formatInstant(last.nominal),
            outcome: last.outcome,
            exit_code: lastEntry?.exitCode ?? null,
          },
    running: runningIn(state).map((execution) => ({
      period_id: formatInstant(execution.nominal),
      pid: execution.process.pid,
    })),
    problem: typeof found === 'string' ? found : null,
  }
}

/** The state, or in words why it can't be read. */
function readState(identity: string, folder: string, disk: ReadableDisk): JobState | string {
  const file = `${folder}/${stateFileName(identity)}`
  try {
    if (disk.inspect(file) === null) return emptyState(identity)
    const decoded = decodeState(disk.read(file), { file, identity, migrations })
    return decoded.kind === 'state' ? decoded.state : `its state is damaged: ${decoded.reason}`
  } catch (error) {
    return messageOf(error)
  }
}
