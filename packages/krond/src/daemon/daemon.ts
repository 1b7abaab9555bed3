import { PersistenceError } from '@kron/core'
import { Agenda } from '@kron/runtime'
import { concerning } from './concerning.js'
import { type DaemonView, type JobView, viewOf } from './daemon-view.js'
import { EventLog } from './event-log.js'
import type { HostJob, JobRecord } from './job-record.js'
import { Ledger } from './ledger.js'
import { PeriodHandler } from './period-handler.js'
import { Places } from './places.js'
import type { DaemonOptions, DaemonPorts } from './ports.js'
import { Recovery } from './recovery.js'
import { type ReloadSummary, reloadPlan } from './reload-plan.js'
import { Responsibilities } from './responsibilities.js'
import { Running } from './running.js'
import { Rush } from './rush.js'
import { Starter } from './starter.js'

/** How long one that leaves waits for starts that are under way. */
const leaveMs = 5000

/**
 * The daemon without its process: takes up what a former one left, handles periods as they come,
 * and ends. `run` rejects when state can't be trusted any more; all else is logged and survived.
 */
export class Daemon implements DaemonView {
  readonly startedAt: number
  readonly #ports: DaemonPorts
  readonly #events: EventLog
  readonly #records = new Map<string, JobRecord>()
  readonly #agenda: Agenda<JobRecord>
  readonly #places: Places
  readonly #running: Running
  readonly #periods: PeriodHandler
  readonly #recovery: Recovery
  readonly #responsibilities: Responsibilities
  readonly #ended = Promise.withResolvers<void>()
  readonly #prepared = Promise.withResolvers<void>()
  #phase: 'new' | 'running' | 'stopping' | 'ended' = 'new'
  #lastTurnAt: number
  /** Called when other starts wait for a place to run than before. */
  onQueueChange: () => void = () => {}

  constructor(ports: DaemonPorts, options: DaemonOptions) {
    const events = new EventLog(ports.log)
    const ledger = new Ledger(ports.store, (error, record) => this.#halt(error, record))
    const places = new Places(options.maxRunning)
    const agenda = new Agenda<JobRecord>(ports.clock)
    const rush = new Rush(ports.clock, places)
    const running = new Running(ports, options, ledger, places, rush, events)
    const starter = new Starter(ports, ledger, running, places, rush, events)
    const responsibilities = new Responsibilities(ports, ledger, rush)
    this.#ports = ports
    this.#events = events
    this.#agenda = agenda
    this.#places = places
    this.#responsibilities = responsibilities
    this.#running = running
    this.#periods = new PeriodHandler(ports, options, ledger, agenda, places, rush, starter, events)
    this.#recovery = new Recovery(ports, options, ledger, running, responsibilities, events)
    places.onTurn = (record) => void this.#trigger(record, ports.clock.now().getTime())
    places.onChange = () => this.onQueueChange()
    running.onEnd = (record) => this.#forgetIfRetired(record)
    running.onFailure = (error, record) => this.#halt(error, record)
    this.#ended.promise.catch(() => undefined)
    this.startedAt = ports.clock.now().getTime()
    this.#lastTurnAt = this.startedAt
  }

  get ready(): boolean {
    return this.#phase === 'running'
  }

  /** When the loop last turned; it does so at least once a minute. */
  get lastTurnAt(): number {
    return this.#lastTurnAt
  }

  get jobCount(): number {
    return this.#records.size
  }

  get runningCount(): number {
    return this.#running.size
  }

  /** Starts that wait until fewer executions run. */
  get waitingCount(): number {
    return this.#places.waiting
  }

  /** Identities of the jobs whose start waits for a place to run, longest first. */
  *queue(): Iterable<string> {
    for (const record of this.#places.queue) yield record.identity
  }

  /** The job that is due first, and when; null when none is planned. */
  get next(): { readonly identity: string; readonly due: number } | null {
    let next: { identity: string; due: number } | null = null
    for (const { identity, planned } of this.#records.values()) {
      const due = planned?.chosenTime ?? null
      if (due !== null && (next === null || due < next.due)) next = { identity, due }
    }
    return next
  }

  /** Whether there is nothing to do for some time. */
  isQuietFor(ms: number): boolean {
    return this.#periods.isSettled && this.#agenda.nextDue > this.#ports.clock.now().getTime() + ms
  }

  /** Recovers what a former daemon left, and plans. `run` comes next. */
  async prepare(hostJobs: readonly HostJob[]): Promise<void> {
    const records = await this.#recovery.recover(hostJobs)
    for (const record of records) this.#records.set(record.identity, record)
    this.#prepared.resolve()
    if (this.#phase !== 'new') return
    this.#phase = 'running'
    for (const record of records) this.#periods.plan(record)
  }

  /** Until it is stopped; rejects when it had to end. */
  async run(): Promise<void> {
    const loop = this.#loop().catch((error: unknown) => this.#halt(error))
    // After the jobs that are due, and after we have said that we are ready.
    this.#responsibilities.begin()
    await Promise.race([loop, this.#ended.promise])
    await this.#ended.promise
  }

  /** Triggers nothing from now on, and ends when all executions have; with `kill` it ends them. */
  async stop({ kill }: { kill: boolean }): Promise<void> {
    if (!this.#beginStop()) return
    await this.#periods.settled()
    await this.#responsibilities.written()
    if (kill) await this.#running.terminateAll()
    else await this.#running.drained()
    this.#end()
  }

  /**
   * Triggers nothing from now on, and leaves executions behind: the next daemon finds them.
   * A start that is under way is given a moment, since dying between its write and its release
   * would cost the period; one that takes longer is found by the next daemon like any other.
   */
  async leave(): Promise<void> {
    if (this.#beginStop()) {
      const patience = new AbortController()
      const moment = this.#ports.clock.sleep(leaveMs, patience.signal).catch(() => undefined)
      await Promise.race([this.#periods.settled(), moment])
      patience.abort('settled')
    }
    this.#leaveBehind()
  }

  /** Ends at once; the next daemon finds what runs. */
  stopNow(): void {
    this.#periods.close()
    this.#leaveBehind()
  }

  /** These are the jobs from now on. What runs goes on, what was handled stays handled. */
  async reload(hostJobs: readonly HostJob[]): Promise<ReloadSummary> {
    // Before that no job is known, and each would be taken up a second time.
    await this.#prepared.promise
    const { added, changed, removed } = reloadPlan(this.#records, hostJobs)
    const fresh = await this.#recovery.recover(added)
    for (const record of removed) {
      record.retired = true
      this.#events.unplanned(record, 'removed')
      this.#responsibilities.end(record)
      this.#periods.plan(record)
      this.#forgetIfRetired(record)
    }
    for (const [record, hostJob] of changed) {
      // It may have been forgotten while the new ones were recovered.
      this.#records.set(record.identity, record)
      record.retired = false
      record.hostJob = hostJob
      this.#responsibilities.assume(record)
      this.#periods.plan(record, 'reload')
    }
    for (const record of fresh) {
      this.#records.set(record.identity, record)
      this.#periods.plan(record)
    }
    const summary = {
      jobs: hostJobs.length,
      added: added.length,
      changed: changed.length,
      removed: removed.length,
    }
    this.#events.event('reload', summary)
    return summary
  }

  get #activeJobs(): number {
    let count = 0
    for (const { retired } of this.#records.values()) if (!retired) count++
    return count
  }

  *jobs(): Iterable<JobView> {
    for (const record of this.#records.values()) if (!record.retired) yield viewOf(record)
  }

  job(identityOrName: string): JobView | undefined {
    const record = this.#records.get(identityOrName)
    if (record !== undefined && !record.retired) return viewOf(record)
    const named = [...this.jobs()].filter(({ hostJob }) => hostJob.name === identityOrName)
    return named.length === 1 ? named[0] : undefined
  }

  async #loop(): Promise<void> {
    while (this.#phase === 'running') {
      const now = this.#ports.clock.now().getTime()
      this.#lastTurnAt = now
      this.#noticeJump(now)
      for (const record of this.#agenda.takeDue(now)) void this.#trigger(record, now)
      await this.#agenda.sleep()
    }
  }

  async #trigger(record: JobRecord, now: number): Promise<void> {
    try {
      await this.#periods.trigger(record, now)
    } catch (error) {
      const nominal = record.planned?.nominalTime ?? null
      this.#halt(concerning(error, record.identity, nominal), record)
    }
    this.#forgetIfRetired(record)
  }

  /** After a jump forward all that is due comes by itself; after one back all is planned again. */
  #noticeJump(now: number): void {
    const jump = this.#agenda.jumpAt(now)
    if (jump === null) return
    this.#events.clockJump(jump)
    if (jump.to > jump.from) return
    for (const record of this.#records.values()) {
      if (!record.retired) this.#responsibilities.assume(record)
      this.#periods.plan(record, 'clock')
    }
  }

  #forgetIfRetired(record: JobRecord): void {
    if (record.retired && record.isIdle) this.#records.delete(record.identity)
  }

  /** State can't be trusted any more, or the loop is broken: nothing may be triggered. */
  #halt(error: unknown, record?: JobRecord): void {
    if (this.#phase === 'ended') return
    this.#events.failure(error, operationOf(error, record), record)
    this.#periods.close()
    this.#responsibilities.close()
    this.#phase = 'ended'
    this.#agenda.wake()
    this.#ended.reject(error)
  }

  /** Whether this is the first time. */
  #beginStop(): boolean {
    if (this.#phase === 'stopping' || this.#phase === 'ended') return false
    this.#phase = 'stopping'
    this.#periods.close()
    this.#agenda.wake()
    // The log must explain why what became due by a jump was not triggered.
    const jump = this.#agenda.jumpAt(this.#ports.clock.now().getTime())
    if (jump !== null) this.#events.clockJump(jump)
    this.#events.event('stop', { running: this.#running.activeCount, jobs: this.#activeJobs })
    return true
  }

  #leaveBehind(): void {
    if (this.#phase === 'ended') return
    const running = this.#running.size
    if (running > 0) this.#events.event('left', { running })
    this.#end()
  }

  #end(): void {
    if (this.#phase === 'ended') return
    this.#phase = 'ended'
    this.#responsibilities.close()
    this.#agenda.wake()
    this.#ended.resolve()
  }
}

function operationOf(error: unknown, record: JobRecord | undefined): string {
  if (error instanceof PersistenceError) return 'write_state'
  return record === undefined ? 'loop' : 'handle_period'
}
