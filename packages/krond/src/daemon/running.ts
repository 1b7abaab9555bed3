import { formatInstant } from '@kron/core'
import { type ActiveExecution, completed } from '../state/index.js'
import { concerning } from './concerning.js'
import { type EventLog, ofPeriod } from './event-log.js'
import type { Execution, JobRecord } from './job-record.js'
import type { Ledger } from './ledger.js'
import { failureOf } from './log-events.js'
import type { Places } from './places.js'
import type { DaemonOptions, DaemonPorts } from './ports.js'
import type { Rush } from './rush.js'
import { Watch } from './watch.js'

/** How long a killed process may take to go. */
const killMs = 5000

/**
 * The executions that run. Each holds one of the places until its end is on disk. What may happen
 * between the end of a process and that write: the daemon dies, and the next one finds the process
 * gone and records the end with an unknown exit code.
 */
export class Running {
  readonly #ports: DaemonPorts
  readonly #options: DaemonOptions
  readonly #ledger: Ledger
  readonly #places: Places
  readonly #rush: Rush
  readonly #events: EventLog
  /** Each with the promise that its end is on disk. */
  readonly #executions = new Map<Execution, Promise<void>>()
  /** Called when an execution of the record is over. */
  onEnd: (record: JobRecord) => void = () => {}
  /** Called when nobody can know whether a process still runs. */
  onFailure: (error: unknown, record: JobRecord) => void = () => {}

  constructor(
    ports: DaemonPorts,
    options: DaemonOptions,
    ledger: Ledger,
    places: Places,
    rush: Rush,
    events: EventLog,
  ) {
    this.#ports = ports
    this.#options = options
    this.#ledger = ledger
    this.#places = places
    this.#rush = rush
    this.#events = events
  }

  get size(): number {
    return this.#executions.size
  }

  /** Those whose end was not logged; `size` has those whose end is not on disk. */
  get activeCount(): number {
    let count = 0
    for (const execution of this.#executions.keys()) if (!isOver(execution)) count++
    return count
  }

  /** Follows an execution to its end. Its place was taken by the caller. */
  follow(execution: Execution): void {
    const over = new AbortController()
    execution.record.began(execution)
    const ending = this.#untilEnd(execution, over)
    const { record, active } = execution
    const watched = ending.catch((error: unknown) =>
      this.onFailure(concerning(error, record.identity, active.nominal), record),
    )
    this.#executions.set(execution, watched)
    if (execution.timeoutMs !== null) void this.#limit(execution, execution.timeoutMs, over.signal)
  }

  /** Follows a process that a former daemon started and that still lives. */
  adopt(record: JobRecord, active: ActiveExecution): void {
    this.#places.occupy()
    const { timeoutMs } = record.hostJob.settings
    const watch = new Watch(this.#ports, active.process)
    const drained = this.resumeOutput(record, active)
    const exited = watch.exited.then((status) => drained().then(() => status))
    this.follow({ record, active, timeoutMs, exited, watch })
  }

  /** Logs what an execution of a former daemon wrote since that one was gone, and still writes. */
  resumeOutput(record: JobRecord, { nominal }: ActiveExecution): () => Promise<void> {
    const onLine = this.#events.lineLogger(record, nominal)
    return this.#ports.processes.resumeOutput({ identity: record.identity, nominal }, onLine)
  }

  /**
   * Ends a process and all of its group: SIGTERM, the grace, SIGKILL. Answers whether it is gone;
   * what can't be killed stays an active execution. Of the grace, no more than `maxGraceMs` is
   * given; where nothing is left of it, SIGKILL comes at once.
   */
  async terminate(execution: Execution, maxGraceMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { process } = execution.active
    const graceMs = Math.min(this.#options.graceMs, maxGraceMs)
    for (const [signal, patience] of [
      ['SIGTERM', graceMs],
      ['SIGKILL', killMs],
    ] as const) {
      if (signal === 'SIGTERM' && maxGraceMs <= 0) continue
      this.#ports.processes.signal(process, signal)
      execution.watch?.expectEnd()
      if (await this.#isOverWithin(execution, patience)) return true
    }
    return false
  }

  /** Ends all, and waits until their ends are on disk. */
  async terminateAll(): Promise<void> {
    const all = [...this.#executions.keys()]
    const ends = all.map(async (execution) => {
      if (await this.terminate(execution)) await this.#executions.get(execution)
    })
    await Promise.allSettled(ends)
  }

  /** Until every execution has ended and its end is on disk. */
  async drained(): Promise<void> {
    while (this.#executions.size > 0) await Promise.race(this.#executions.values())
  }

  /**
   * The end is logged before it is written: dying in between leaves an execution that is
   * recovered once more, and not one of which no line says how it ended. The write waits for
   * starts; the next period need not, since its own write has this end too.
   */
  async #untilEnd(execution: Execution, over: AbortController): Promise<void> {
    const { record, active } = execution
    try {
      const { code, signal } = await execution.exited
      over.abort('ended')
      record.ended(execution)
      const at = this.#ports.clock.now().getTime()
      this.#events.event('completed', {
        ...ofPeriod(record, active.nominal),
        pid: active.process.pid,
        exit_code: code,
        signal,
        duration_ms: Math.max(0, at - active.startedAt),
        ...failureOf(code),
      })
      const occasion = { at, historyLength: this.#options.historyLength }
      await this.#ledger.change(
        record,
        active.nominal,
        (state) => completed(state, active, code, occasion),
        this.#rush.over(),
      )
      this.#ports.observer.completed(code)
    } finally {
      this.#executions.delete(execution)
    }
    record.endIsOnDisk()
    this.#places.give()
    this.onEnd(record)
  }

  async #limit(execution: Execution, timeoutMs: number, over: AbortSignal): Promise<void> {
    const { record, active } = execution
    const elapsed = Math.max(0, this.#ports.clock.now().getTime() - active.startedAt)
    try {
      await this.#ports.clock.sleep(Math.max(0, timeoutMs - elapsed), over)
    } catch {
      return // It ended in time.
    }
    this.#events.event('timed_out', {
      ...ofPeriod(record, active.nominal),
      pid: active.process.pid,
      timeout_ms: timeoutMs,
    })
    await this.terminate(execution).catch((error: unknown) => {
      this.#events.failure(error, 'end_process', record, active.nominal)
    })
  }

  async #isOverWithin(execution: Execution, patience: number): Promise<boolean> {
    const over = new AbortController()
    const patienceLost = this.#ports.clock.sleep(patience, over.signal).catch(() => undefined)
    await Promise.race([execution.exited, patienceLost])
    over.abort('ended')
    return isOver(execution)
  }
}

const isOver = (execution: Execution): boolean => !execution.record.executions.includes(execution)

export function describeActive({ active }: Execution): string {
  return `process ${active.process.pid} of period ${formatInstant(active.nominal)}`
}
