import { Agenda } from '@kron/runtime'
import { EventRecorder } from '../event/index.js'
import { Reflector } from '../informer/reflector.js'
import { marks, type OwnedJob, ownedJob } from '../job/index.js'
import type { KronJob } from '../kronjob/index.js'
import { jobs as jobResource, kronJobs as kronJobResource } from '../kube/index.js'
import type { KronJobRecord } from '../record/kron-job-record.js'
import { LeadershipLost, Requests } from '../requests/requests.js'
import { StatusWriter } from '../status/status-writer.js'
import { EventLog } from './event-log.js'
import { KeyedQueue, type Urgency } from './keyed-queue.js'
import { KronJobBook } from './kron-job-book.js'
import type { ControllerOptions, ControllerPorts } from './ports.js'
import { Reconciler } from './reconciler.js'
import { checkDueAt, checkTemplate, maxChecks } from './template-check.js'

/** KronJobs that are worked on for each request at once; each waits mostly for its answer. */
const maxForARequest = 2

/**
 * A controller for one term of leadership: it begins with nothing but what the API server says, so
 * it knows all that its predecessor did. Watches and the clock only say which KronJob to look at;
 * the reconciler decides what is to be done.
 */
export class Controller {
  readonly #ports: ControllerPorts
  readonly #events: EventLog
  readonly #book: KronJobBook
  readonly #agenda: Agenda<string>
  readonly #queue: KeyedQueue
  readonly #checks: KeyedQueue
  readonly #kronJobs: Reflector<KronJob>
  readonly #jobs: Reflector<OwnedJob>
  readonly #reconciler: Reconciler
  readonly #requests: Requests
  readonly #term = new AbortController()
  /** When each KronJob that is due was found to be. */
  readonly #triggers = new Map<string, number>()
  readonly #maxRequests: number
  #isReady = false
  #lastTurnAt = 0

  constructor(ports: ControllerPorts, options: ControllerOptions, instance = 'kron-operator') {
    this.#ports = ports
    this.#maxRequests = options.maxRequests
    this.#events = new EventLog(ports.log)
    this.#agenda = new Agenda(ports.clock)
    const maxAtOnce = maxForARequest * options.maxRequests
    this.#queue = new KeyedQueue((key, urgency) => this.#work(key, urgency), maxAtOnce)
    this.#checks = new KeyedQueue((key) => this.#check(key), maxChecks)
    this.#book = new KronJobBook((key) => this.#wake(key), this.#events, ports)
    const { api, clock } = ports
    const { namespace, resyncMs } = options
    const shared = { api, clock, namespace, resyncMs, onFailure: this.#onWatchFailure }
    this.#kronJobs = new Reflector<KronJob>({
      ...shared,
      resource: kronJobResource,
      project: (object) => withoutManagedFields(object as KronJob),
      onChange: (key, kronJob) => this.#book.putKronJob(key, kronJob),
      onListed: () => this.#wakeAll(),
    })
    this.#jobs = new Reflector<OwnedJob>({
      ...shared,
      resource: jobResource,
      labelSelector: marks.name,
      project: ownedJob,
      onChange: (_, job, before) => this.#book.putJob(job, before),
    })
    this.#requests = new Requests(ports, options.maxRequests, this.#term.signal)
    this.#reconciler = this.#createReconciler(instance)
  }

  #createReconciler(instance: string): Reconciler {
    const { clock, observer } = this.#ports
    const requests = this.#requests
    const events = this.#events
    const recorder = new EventRecorder({
      create: (event) => requests.createEvent(event),
      clock,
      instance,
      signal: this.#term.signal,
      onFailure: (error, event, { metadata }) => {
        const identity = `${metadata.namespace}/${metadata.name}`
        events.failure(error, `tell_${event.reason}`, { identity })
      },
    })
    const note = this.#kronJobs.note.bind(this.#kronJobs)
    const writer = new StatusWriter({ requests, recorder, clock, note })
    const noteJob = this.#jobs.note.bind(this.#jobs)
    return new Reconciler({ clock, observer, requests, writer, events, noteJob })
  }

  /** Everything has been read, and what is due is being handled. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** When the loop that waits for what is due last turned. */
  get lastTurnAt(): number {
    return this.#lastTurnAt
  }

  /** Nothing is being done, and nothing is due for so long. */
  isQuietFor(ms: number): boolean {
    if (!this.#isReady || this.#queue.depth + this.#checks.depth > 0) return false
    return this.#agenda.nextDue > this.#ports.clock.now().getTime() + ms
  }

  get kronJobCount(): number {
    return this.#book.size
  }

  get queueDepth(): number {
    return this.#queue.depth
  }

  get waitingRequests(): number {
    return this.#requests.waiting
  }

  /** Runs until the signal. When it resolves, all that had begun is over. */
  async run(signal: AbortSignal): Promise<void> {
    const end = (): void => {
      this.#term.abort(signal.reason)
      this.#agenda.wake()
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
    const watches = [this.#jobs, this.#kronJobs].map((each) => each.run(this.#term.signal))
    try {
      await this.#untilListed()
      while (!this.#term.signal.aborted) await this.#turn()
    } finally {
      signal.removeEventListener('abort', end)
      end()
      this.#isReady = false
      await Promise.all([...watches, this.#queue.close(), this.#checks.close()])
    }
  }

  /** Without all Jobs nobody knows which periods have one. */
  async #untilListed(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      if (this.#term.signal.aborted) resolve()
      this.#term.signal.addEventListener('abort', () => resolve())
    })
    await Promise.race([Promise.all([this.#jobs.listed, this.#kronJobs.listed]), ended])
    if (this.#term.signal.aborted) return
    this.#isReady = true
    this.#lastTurnAt = this.#ports.clock.now().getTime()
    this.#ports.log.info('ready', { kronjobs: this.#book.size })
    this.#wakeAll()
  }

  async #turn(): Promise<void> {
    const now = this.#ports.clock.now().getTime()
    this.#lastTurnAt = now
    const jump = this.#agenda.jumpAt(now)
    if (jump !== null) {
      this.#events.clockJump(jump)
      this.#book.forgetPlans()
      this.#wakeAll()
    }
    for (const key of this.#agenda.takeDue(now)) {
      this.#triggers.set(key, now)
      this.#queue.add(key, 'due')
    }
    if (this.#agenda.nextDue > now + leadMs) await this.#agenda.sleep(leadMs)
    else await this.#awaitCrowd()
  }

  /** Something is due in a moment; a crowd should not have to wait for connections as well. */
  async #awaitCrowd(): Promise<void> {
    const { warmUp } = this.#ports
    const until = this.#agenda.nextDue + 1000
    const crowd = this.#agenda.countDue(until, this.#maxRequests)
    if (crowd >= smallestCrowd) void warmUp?.(crowd)
    await this.#agenda.sleep()
  }

  #wake(key: string): void {
    if (this.#isReady) this.#queue.add(key)
  }

  #wakeAll(): void {
    if (this.#isReady) for (const key of this.#book.keys()) this.#queue.add(key)
  }

  async #work(key: string, urgency: Urgency): Promise<void> {
    const triggeredAt = this.#triggers.get(key) ?? null
    this.#triggers.delete(key)
    const record = this.#book.record(key)
    if (record === undefined || this.#term.signal.aborted) return this.#agenda.remove(key)
    try {
      // Once true it stays true: what was put off is done later, even if the rush is over by then.
      let wasRushed = false
      const isRushed = (): boolean => {
        wasRushed ||= urgency === 'due' && this.#queue.hasDue
        return wasRushed
      }
      const due = await this.#reconciler.handlePeriods(record, isRushed, triggeredAt)
      this.#setDue(key, due)
      // Events and status are not urgent: other KronJobs are late by all that is done before them.
      if (isRushed()) return this.#queue.add(key)
      const checkAt = this.#planCheck(key, record)
      const again = await this.#reconciler.tidyUp(record)
      const sooner = Math.min(checkAt ?? never, again ?? never)
      if (sooner < (due ?? never)) this.#setDue(key, sooner)
    } catch (error) {
      if (error instanceof LeadershipLost || this.#term.signal.aborted) return
      this.#events.failure(error, 'reconcile', record)
      this.#ports.observer.failed('reconcile')
      this.#agenda.set(key, this.#ports.clock.now().getTime() + afterFailureMs)
    }
  }

  /** Has the template checked if that is due; if not, answers when it will be. */
  #planCheck(key: string, record: KronJobRecord): number | null {
    const at = checkDueAt(record)
    if (at === null || at > this.#ports.clock.now().getTime()) return at
    this.#checks.add(key)
    return null
  }

  async #check(key: string): Promise<void> {
    const record = this.#book.record(key)
    if (record === undefined || this.#term.signal.aborted) return
    const { clock, observer } = this.#ports
    const ports = { clock, observer, requests: this.#requests, events: this.#events }
    try {
      await checkTemplate(ports, record)
    } catch {
      // The term has ended. Waking would have it checked again, and again, without a pause.
      return
    }
    this.#wake(key)
  }

  /** Also of a KronJob that is gone or replaced by now: that change has woken the key again. */
  #setDue(key: string, due: number | null): void {
    if (due === null) this.#agenda.remove(key)
    else this.#agenda.set(key, due)
  }

  readonly #onWatchFailure = (error: unknown, operation: 'list' | 'watch'): void => {
    this.#ports.observer.failed(operation)
    this.#events.failure(error, operation)
  }
}

const afterFailureMs = 5000
const never = Number.POSITIVE_INFINITY
/** How long before a crowd is due connections are opened for it, and how many are a crowd. */
const leadMs = 500
const smallestCrowd = 4

/** Managed fields are as large as all the rest, and nothing here reads them. */
function withoutManagedFields(kronJob: KronJob): KronJob {
  const { managedFields, ...metadata } = kronJob.metadata
  return { ...kronJob, metadata }
}
