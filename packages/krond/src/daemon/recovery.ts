import { formatInstant, type Job } from '@kron/core'
import {
  type ActiveExecution,
  completed,
  emptyState,
  type JobState,
  type LoadedState,
  runningIn,
} from '../state/index.js'
import { concerned } from './concerning.js'
import { type EventLog, ofPeriod } from './event-log.js'
import { type HostJob, JobRecord } from './job-record.js'
import type { Ledger } from './ledger.js'
import type { DaemonOptions, DaemonPorts } from './ports.js'
import type { Responsibilities } from './responsibilities.js'
import type { Running } from './running.js'

/**
 * Takes up jobs where a former daemon left them. Nothing of a job is planned before this is done
 * for it and on disk. Dying in here at any place leaves a state that leads here again.
 */
export class Recovery {
  readonly #ports: DaemonPorts
  readonly #options: DaemonOptions
  readonly #ledger: Ledger
  readonly #running: Running
  readonly #responsibilities: Responsibilities
  readonly #events: EventLog

  constructor(
    ports: DaemonPorts,
    options: DaemonOptions,
    ledger: Ledger,
    running: Running,
    responsibilities: Responsibilities,
    events: EventLog,
  ) {
    this.#ports = ports
    this.#options = options
    this.#ledger = ledger
    this.#running = running
    this.#responsibilities = responsibilities
    this.#events = events
  }

  async recover(hostJobs: readonly HostJob[]): Promise<JobRecord[]> {
    // All are looked at first: a job that can't be taken up leaves the others as they were.
    const found = hostJobs.map((hostJob) => this.#find(hostJob))
    for (const { record } of found) this.#responsibilities.assume(record)
    await settleAll(
      found.flatMap(({ record, executions, lost }) => [
        ...this.#reconcile(record, executions),
        ...(lost === null ? [] : [this.#replaceLost(record, lost)]),
      ]),
    )
    return found.map(({ record }) => record)
  }

  #find(hostJob: HostJob): Found {
    const { identity } = hostJob
    const loaded = concerned(identity, null, () => this.#ports.store.load(identity))
    const state = loaded.kind === 'found' ? loaded.state : emptyState(identity)
    const executions = runningIn(state).map((execution) => ({
      execution,
      alive: concerned(identity, execution.nominal, () =>
        this.#ports.processes.isAlive(execution.process),
      ),
    }))
    const lost = loaded.kind === 'lost' ? loaded : null
    return { record: new JobRecord(hostJob, state), executions, lost }
  }

  /** Recorded executions: those that still live are followed, the others have ended somehow. */
  #reconcile(record: JobRecord, executions: Found['executions']): Promise<void>[] {
    const gone: ActiveExecution[] = []
    for (const { execution, alive } of executions) {
      this.#events.event('recovered', {
        ...ofPeriod(record, execution.nominal),
        pid: execution.process.pid,
        alive,
      })
      if (alive) this.#running.adopt(record, execution)
      else {
        this.#running.resumeOutput(record, execution)
        gone.push(execution)
      }
    }
    if (gone.length === 0) return []
    const { historyLength } = this.#options
    const occasion = { at: this.#ports.clock.now().getTime(), historyLength }
    const withoutGone = (state: JobState): JobState =>
      gone.reduce((rest, execution) => completed(rest, execution, null, occasion), state)
    return [this.#ledger.change(record, gone.at(-1)!.nominal, withoutGone)]
  }

  /**
   * What was handled is not known any more. The current period may have run, so it counts as
   * handled; and so do later ones as far as the clock may have been. The replacement is written
   * over the bad file, so that there is a file at every moment.
   */
  async #replaceLost(record: JobRecord, { movedTo, reason, handledThrough }: Lost): Promise<void> {
    const replacement = presumedHandled(record.state, record.hostJob.job, handledThrough)
    const { last } = replacement
    await this.#ledger.change(record, last?.nominal ?? null, () => replacement)
    this.#events.event('state_lost', {
      identity: record.identity,
      period_id: last === null ? null : formatInstant(last.nominal),
      error_type: 'PersistenceError',
      operation: 'read_state',
      message: `the state of the job is lost: ${reason}`,
      moved_to: movedTo,
    })
  }
}

/** What was left of a job. */
interface Found {
  readonly record: JobRecord
  readonly executions: readonly { readonly execution: ActiveExecution; readonly alive: boolean }[]
  readonly lost: Lost | null
}

type Lost = Extract<LoadedState, { kind: 'lost' }>

function presumedHandled(state: JobState, job: Job, through: number): JobState {
  const nominal = job.currentPeriod(through)
  if (nominal === null) return state
  const chosen = job.decide(nominal).chosenTime
  return { ...state, last: { nominal, outcome: 'skipped', chosen } }
}

/** Waits for all, then fails with the first failure: no write may be left under way. */
async function settleAll(writes: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(writes)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
