import { ExecutionError, formatInstant } from '@kron/core'
import { Semaphore } from '@kron/runtime'
import type { Gate, StartRequest } from '../process/index.js'
import { type ActiveExecution, givenBack, type JobState, started } from '../state/index.js'
import { type EventLog, ofPeriod } from './event-log.js'
import type { JobRecord } from './job-record.js'
import type { Ledger } from './ledger.js'
import type { Places } from './places.js'
import type { DaemonPorts } from './ports.js'
import { describeActive, type Running } from './running.js'
import type { Rush } from './rush.js'

/** Gates that are on their way at once: enough to keep disk and processors busy. */
const gatesAtOnce = 64

/** A period that has the verdict to be executed. */
export interface Start {
  readonly record: JobRecord
  readonly nominal: number
  readonly chosen: number
  readonly replace: boolean
  /** What the record ran when the verdict was given; a reload does not change it any more. */
  readonly hostJob: JobRecord['hostJob']
}

/** `running`: handled. `failed`: not handled, may be tried again. `dropped`: not tried. */
export type StartResult = 'running' | 'failed' | 'dropped'

/**
 * Starts each period at most once. The order of effects, and what it means to die after each:
 *
 * 1. the gate is spawned: it waits for a byte and has not executed anything of the job. Its pipe
 *    closes with us and it exits; the period is not handled, and is evaluated again after restart;
 * 2. one atomic write: the period is executed, and the execution has the PID of the gate. The
 *    gate exits unreleased; the next daemon finds it gone and records an unknown exit code. The
 *    period is lost, which is the price of never running it twice;
 * 3. the byte: the gate becomes the job. The next daemon finds it alive, or records its end.
 *
 * If the write of 2 fails the gate is ended and the daemon too. If the job can't be executed
 * after 3, the period is given back with another write; dying before that leaves it executed with
 * an unknown exit code.
 */
export class Starter {
  readonly #ports: DaemonPorts
  readonly #ledger: Ledger
  readonly #running: Running
  readonly #places: Places
  readonly #rush: Rush
  readonly #gateTurns = new Semaphore(gatesAtOnce)
  readonly #events: EventLog
  #stopped = false

  constructor(
    ports: DaemonPorts,
    ledger: Ledger,
    running: Running,
    places: Places,
    rush: Rush,
    events: EventLog,
  ) {
    this.#ports = ports
    this.#ledger = ledger
    this.#running = running
    this.#places = places
    this.#rush = rush
    this.#events = events
  }

  /** Nothing is started any more; what has no gate yet is dropped. */
  stop(): void {
    this.#stopped = true
    this.#places.close()
  }

  /** The caller has taken a place for it, which is given back unless something runs in it then. */
  async start(start: Start): Promise<StartResult> {
    let result: StartResult = 'failed'
    if (!start.replace || (await this.#replaced(start))) {
      this.#rush.begin()
      try {
        result = await this.#gateTurns.run(() => this.#startInTurn(start))
      } finally {
        this.#rush.end()
      }
    }
    if (result !== 'running') this.#places.give()
    return result
  }

  async #startInTurn(start: Start): Promise<StartResult> {
    if (this.#isCalledOff(start)) return 'dropped'
    const { record, nominal } = start
    let gate: Gate
    try {
      gate = await this.#ports.processes.prepare(this.#requestOf(start))
    } catch (error) {
      this.#failed(error, 'start_process', record, nominal)
      return 'failed'
    }
    if (this.#isCalledOff(start)) {
      gate.abandon()
      return 'dropped'
    }
    return await this.#release(start, gate)
  }

  #isCalledOff({ record }: Start): boolean {
    return this.#stopped || record.retired || record.suspended
  }

  #requestOf({ record, hostJob, nominal, chosen }: Start): StartRequest {
    const { identity, name, settings } = hostJob
    const onLine = this.#events.lineLogger(record, nominal)
    return { identity, name, settings, period: { nominal, chosen }, onLine }
  }

  async #release(start: Start, gate: Gate): Promise<StartResult> {
    const { record, hostJob, nominal, chosen } = start
    const startedAt = this.#ports.clock.now().getTime()
    const active: ActiveExecution = { nominal, chosen, startedAt, process: gate.process }
    const before = record.state
    try {
      await this.#ledger.change(record, nominal, (state) => started(state, active))
    } catch (error) {
      gate.abandon()
      throw error
    }
    const release = await gate.release()
    if (release.kind === 'not-executed') {
      return await this.#giveBack(record, active, before, release.reason)
    }
    const { pid } = gate.process
    this.#events.event('started', { ...ofPeriod(record, nominal), outcome: 'executed', pid })
    this.#ports.observer.handled('executed')
    this.#ports.observer.started(Math.max(0, startedAt - chosen))
    const { timeoutMs } = hostJob.settings
    this.#running.follow({ record, active, timeoutMs, exited: gate.exited })
    return 'running'
  }

  /** Nothing of the job was executed, so the period is as if it had never been started. */
  async #giveBack(
    record: JobRecord,
    active: ActiveExecution,
    before: JobState,
    reason: string,
  ): Promise<StartResult> {
    await this.#ledger.change(record, active.nominal, (state) => givenBack(state, before))
    const error = new ExecutionError('KRON_EXECUTION', `the command was not executed: ${reason}`, {
      field: 'command',
      reason,
    })
    this.#failed(error, 'execute', record, active.nominal)
    return 'failed'
  }

  /**
   * What runs is ended only after the verdict to execute, which is not asked for again: nothing is
   * ended for a period that then can't start. So it gets no more time than the deadline leaves.
   */
  async #replaced({ record, nominal, chosen, hostJob }: Start): Promise<boolean> {
    const latest = chosen + hostJob.job.policy.deadline
    for (const execution of record.executions) {
      const { active } = execution
      try {
        const leftMs = latest - this.#ports.clock.now().getTime()
        if (!(await this.#running.terminate(execution, leftMs))) {
          throw new ExecutionError('KRON_EXECUTION', `${describeActive(execution)} does not end`, {
            field: 'concurrency',
            pid: active.process.pid,
          })
        }
      } catch (error) {
        this.#failed(error, 'replace', record, nominal)
        return false
      }
      const replaced_period_id = formatInstant(active.nominal)
      const { pid } = active.process
      this.#events.event('replaced', { ...ofPeriod(record, nominal), replaced_period_id, pid })
    }
    return true
  }

  #failed(error: unknown, operation: string, record: JobRecord, nominal: number): void {
    this.#events.failure(error, operation, record, nominal)
    this.#ports.observer.failed(operation)
  }
}
