import { backoffMs, type Log, type MetricRegistry, messageOf, WakeableSleep } from '@kron/runtime'
import { parseSteering, Stop } from '../dispatch/index.js'
import { newId, type RunKey, runId } from '../domain/index.js'
import { EndpointPlanning, type Outcome } from '../scheduling/index.js'
import type { Claim, Recorded } from '../store/index.js'
import { Claimer, claimBackoff } from './claimer.js'
import { DatabaseTime } from './database-time.js'
import { DueRuns } from './due-runs.js'
import { releasedRun } from './execution.js'
import { endedEvent, type LiveRun, LiveRuns } from './live-runs.js'
import { LookAhead, type LookAheadLimits } from './look-ahead.js'
import { Recorder } from './recorder.js'
import { RunSender, type SenderPorts } from './run-sender.js'
import { type WorkerMetrics, workerMetrics } from './worker-metrics.js'

export interface WorkerOptions extends SenderPorts, LookAheadLimits {
  readonly log: Log
  readonly metrics: MetricRegistry
  /** Runs that are claimed and not ended, at most. */
  readonly maxInFlight: number
  readonly maxAtOnce: number
  /** How long outcomes gather before they are written together. */
  readonly gatherMs: number
}

export const defaultWorkerLimits = {
  maxInFlight: 20_000,
  maxAtOnce: 1_000,
  gatherMs: 20,
  withinMs: 300,
  crowd: 3_000,
  crowdWithinMs: 2_000,
  pollMs: 2_000,
} as const

/** So many in line for a connection that those which follow need not be prepared yet. */
const longLine = 256
/**
 * Between two claims that pass over a tenant: whatever is behind its endpoints in line is seen in
 * time all the same, since claims look further ahead.
 */
const passingOverMs = 250
/** How long a worker that stops tries to record what has ended. */
const lastWordsMs = 15_000

/**
 * Claims what is due, sends it when it is due, and records how it ended.
 *
 * Nothing is sent before its claim has committed, so that no other worker can have the period. An
 * outcome is recorded until the store has it.
 */
export class Worker {
  readonly id: string
  readonly #options: WorkerOptions
  readonly #planning: EndpointPlanning
  readonly #time: DatabaseTime
  readonly #due: DueRuns<LiveRun>
  readonly #recorder: Recorder
  readonly #sender: RunSender
  readonly #sleep: WakeableSleep
  readonly #lookAhead: LookAhead
  readonly #claimer: Claimer
  readonly #metrics: WorkerMetrics
  readonly #live: LiveRuns
  /** Cancelled while a claim is under way, whose answer may bring them. */
  #cancelledAhead = new Set<string>()
  #isStopping = false
  /** Runs that were started and have not ended. */
  #sending = 0
  #loop: Promise<void> = Promise.resolve()

  constructor(options: WorkerOptions) {
    const { store, clock, elapsed, log } = options
    this.id = newId('wrk', clock.now().getTime())
    this.#options = options
    this.#metrics = workerMetrics(options.metrics)
    this.#time = new DatabaseTime(elapsed)
    this.#sleep = new WakeableSleep(clock)
    this.#lookAhead = new LookAhead(options)
    this.#live = new LiveRuns(options.maxInFlight)
    this.#planning = new EndpointPlanning({
      maxDefinitions: 50_000,
      readSteering: parseSteering,
      onBroken: ({ endpointId }, error) =>
        log.warn('endpoint_broken', { endpoint: endpointId, error: messageOf(error) }),
      onNotResponsible: ({ endpointId, responsibility }, periods) =>
        log.info('not_responsible', {
          endpoint: endpointId,
          periods,
          since: responsibility?.since,
        }),
    })
    this.#claimer = new Claimer({
      ...options,
      owner: this.id,
      planning: this.#planning,
      time: this.#time,
      metrics: this.#metrics,
      withinMs: () => this.#lookAhead.withinMs,
      isStopping: () => this.#isStopping,
      onFailure: (operation, error) => this.#storeFailed(operation, error),
    })
    this.#sender = new RunSender({ ...options, time: this.#time, metrics: this.#metrics })
    this.#due = new DueRuns(
      clock,
      () => this.#time.earliest,
      (run) => void this.#send(run),
      () => options.dispatcher.waiting > longLine,
    )
    this.#recorder = new Recorder({
      store,
      planning: this.#planning,
      clock,
      elapsed,
      maxAtOnce: options.maxAtOnce,
      gatherMs: options.gatherMs,
      isRushed: () => options.dispatcher.waiting > 0,
      onRecorded: (outcome, answer) => this.#recorded(outcome, answer),
      onBatch: ({ now, nextWakeAt }, sentAt) => {
        this.#time.observe(now, sentAt, elapsed())
        if (nextWakeAt !== null && nextWakeAt <= now + options.pollMs) this.#sleep.wake()
      },
      onFailure: (error, waiting) => this.#storeFailed('record', error, { waiting }),
    })
  }

  /** Runs that are claimed and not recorded. */
  get inFlight(): number {
    return this.#live.size
  }

  start(): void {
    const { signals } = this.#options.store
    const removers = [
      signals.onWake(() => this.#sleep.wake()),
      signals.onAbort((run) => this.#abort(run)),
      signals.onSecret((secret) => this.#sender.secrets.forget(secret)),
    ]
    this.#loop = this.#work().finally(() => {
      for (const remove of removers) remove()
    })
  }

  /**
   * Claims nothing more, gives back what was not sent yet, waits for what is under way, cancels
   * the rest after `graceMs`, and resolves when everything is recorded.
   */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    this.#sleep.wake()
    this.#releaseUnsent()
    await this.#loop
    // A claim that was under way has brought more.
    this.#releaseUnsent()
    const { clock } = this.#options
    const deadline = new AbortController()
    const grace = clock.sleep(graceMs, deadline.signal).then(
      () => this.#live.stopAll('shutdown'),
      () => undefined,
    )
    await this.#allSent()
    deadline.abort()
    await grace
    // A store that is away for longer finds these runs by their leases.
    const patience = new AbortController()
    const lost = clock.sleep(lastWordsMs, patience.signal).then(
      () => this.#recorder.giveUp(),
      () => undefined,
    )
    await this.#recorder.drained()
    patience.abort()
    await lost
  }

  #releaseUnsent(): void {
    for (const { claimed } of this.#due.close()) {
      this.#recorder.add(releasedRun({ time: this.#time }, claimed))
    }
  }

  async #work(): Promise<void> {
    await this.#learnTime()
    await Promise.all([this.#claimLoop(), this.#due.watch()])
  }

  async #claimLoop(): Promise<void> {
    for (let failures = 0; !this.#isStopping; ) {
      const free = this.#options.maxInFlight - this.#live.size
      if (free <= 0) {
        await this.#sleep.for(this.#options.pollMs)
        continue
      }
      this.#cancelledAhead.clear()
      const { without, most } = this.#live.room
      const limit = Math.min(free, this.#options.maxAtOnce, most)
      const claim = await this.#claimer.claim(limit, without)
      if (claim === null) {
        failures++
        await this.#sleep.for(backoffMs(claimBackoff, failures + 1))
        continue
      }
      failures = 0
      this.#take(claim)
      const sleepMs = this.#lookAhead.sleepAfter(claim)
      const isPassingOver = without.length > 0 && !claim.full
      await this.#sleep.for(isPassingOver ? passingOverMs : sleepMs)
    }
  }

  /** Three looks: the narrowest bounds count. */
  async #learnTime(): Promise<void> {
    const { store, elapsed, clock } = this.#options
    for (let looks = 0; looks < 3 && !this.#isStopping; ) {
      const sentAt = elapsed()
      try {
        this.#time.observe(await store.time(), sentAt, elapsed())
        looks++
      } catch (error) {
        this.#storeFailed('time', error)
        await clock.sleep(claimBackoff.firstMs)
      }
    }
  }

  #take({ claimed, ended, now }: Claim): void {
    const cancelled = this.#cancelledAhead
    this.#cancelledAhead = new Set()
    for (const run of claimed) {
      const compiled = this.#planning.compiled(run.endpointId)
      if (compiled === null) continue
      const live: LiveRun = { claimed: run, compiled, stop: new Stop() }
      this.#live.add(live)
      this.#due.add(live, run.scheduledFor)
      this.#sender.prepare(compiled)
      if (cancelled.has(runId(run))) this.#abort(run)
    }
    this.#metrics.inFlight.set(this.#live.size)
    for (const { status } of ended) this.#metrics.runs.with({ status }).increment()
    const { signals } = this.#options.store
    if (ended.length > 0) {
      signals.publish(ended.map((run) => endedEvent(run, run.status, now)))
    }
  }

  async #send(run: LiveRun): Promise<void> {
    this.#sending++
    const outcome = await this.#sender.send(run)
    this.#sending--
    if (this.#isStopping) this.#sleep.wake()
    this.#recorder.add(outcome)
  }

  #recorded(outcome: Outcome, answer: Recorded): void {
    const { status, endedAt, fence } = outcome
    const wasFull = this.#live.size >= this.#options.maxInFlight
    const id = runId(outcome)
    // A run that was taken for lost and came back to this worker goes on under another fence.
    const run = this.#live.get(outcome)
    const hadShare = run?.claimed.fence === fence && this.#live.remove(run)
    if (wasFull || hadShare) this.#sleep.wake()
    this.#metrics.inFlight.set(this.#live.size)
    if (answer === 'fenced') {
      this.#metrics.fenced.increment()
      this.#options.log.warn('outcome_fenced', { run: id, status })
      return
    }
    this.#metrics.runs.with({ status }).increment()
    const { signals } = this.#options.store
    if (signals.isWanted(outcome.tenantId)) signals.publish([endedEvent(outcome, status, endedAt)])
  }

  #abort(key: RunKey): void {
    const run = this.#live.get(key)
    if (run === undefined) {
      this.#cancelledAhead.add(runId(key))
      return
    }
    run.stop.stop('user')
    // Not sent yet: it is given up without a word to its target.
    if (this.#due.remove(run)) void this.#send(run)
  }

  /** What is under way has ended; it may not be recorded yet. */
  async #allSent(): Promise<void> {
    while (this.#sending > 0) await this.#sleep.for(this.#options.pollMs)
  }

  #storeFailed(operation: string, error: unknown, fields: Record<string, unknown> = {}): void {
    this.#metrics.storeFailures.with({ operation }).increment()
    this.#options.log.warn('store_failed', { operation, error: messageOf(error), ...fields })
  }
}
