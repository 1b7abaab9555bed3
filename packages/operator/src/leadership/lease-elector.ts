import type { Clock, Log } from '@kron/runtime'
import {
  ApiFailure,
  hasStatus,
  type KubeApi,
  type KubeObject,
  leases,
  type ObjectName,
} from '../kube/index.js'
import { type LeaseRecord, leaseObject, leaseRecord, microTime } from './lease-record.js'

export interface LeaseOptions {
  readonly lease: ObjectName
  /** Different for each process, also for one that replaces another. */
  readonly identity: string
  /** For how long others leave the lease alone after they have seen it change. */
  readonly durationMs: number
  /** A leader that has not renewed for so long stops; shorter than the duration. */
  readonly renewDeadlineMs: number
  readonly renewMs: number
  /** How often one that waits looks. */
  readonly lookMs: number
}

export interface LeasePorts {
  readonly api: Pick<KubeApi, 'get' | 'create' | 'replace'>
  readonly clock: Clock
  /** Milliseconds of a clock that nobody sets, and that goes on while the process is frozen. */
  readonly elapsed: () => number
  readonly log: Log
}

/** One stretch of leadership. */
export interface Term {
  /** Asked at the moment of acting; false as soon as another one might lead. */
  readonly isHeld: () => boolean
  /** Aborts when the term is over. */
  readonly signal: AbortSignal
}

/** A lease as somebody else holds it, and when we saw it change last, by our own clock. */
interface Observation {
  readonly version: string
  readonly record: LeaseRecord
  readonly at: number
}

/**
 * Elects one leader by a Lease, whose resource version makes each write a compare-and-swap.
 *
 *   wait ──the lease has not changed for its duration──▶ take ──▶ lead ──▶ give back, at a stop
 *    ▲                                                             │
 *    └──────────── not renewed in time, or taken by another ───────┘
 *
 * Nobody's timestamps are compared. One that waits counts from when it saw the lease change, hence
 * from later than the leader did, which counts from before it asked for the renewal. So a leader
 * whose renewals fail has stopped, by the margin between deadline and duration, before another one
 * begins; and one that was frozen notices at its next look at the clock.
 */
export class LeaseElector {
  readonly #options: LeaseOptions
  readonly #ports: LeasePorts
  #observed: Observation | null = null
  /** Of the lease that we hold. */
  #version = ''
  #record: LeaseRecord | null = null
  #renewedAt = Number.NEGATIVE_INFINITY

  constructor(options: LeaseOptions, ports: LeasePorts) {
    this.#options = options
    this.#ports = ports
  }

  /** Who leads, as far as is known. */
  get holder(): string {
    return this.#record?.holder ?? this.#observed?.record.holder ?? ''
  }

  get isLeading(): boolean {
    return this.#record !== null && this.#leftMs > 0
  }

  /** Until the term ends unless it is renewed. */
  get #leftMs(): number {
    return this.#renewedAt + this.#options.renewDeadlineMs - this.#ports.elapsed()
  }

  /** Leads whenever it can, until the signal; `lead` has to end when its term does. */
  async run(lead: (term: Term) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#ports
    while (!signal.aborted) {
      if (await this.#tryToAcquire(signal)) await this.#serve(lead, signal)
      else await clock.sleep(this.#untilNextLook(), signal).catch(() => undefined)
    }
    log.debug('election_ended')
  }

  async #serve(lead: (term: Term) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { log } = this.#ports
    const { identity } = this.#options
    log.info('leading', { lease_holder: identity })
    const over = new AbortController()
    const end = (): void => over.abort('stopped')
    signal.addEventListener('abort', end, { once: true })
    const keeping = this.#keep(over)
    try {
      await lead({ isHeld: () => !over.signal.aborted && this.isLeading, signal: over.signal })
    } finally {
      signal.removeEventListener('abort', end)
      end()
      await keeping
      await this.#giveBack()
      log.info('led', { lease_holder: identity })
    }
  }

  /** Renews until the term is over, and ends it when that can't be done in time. */
  async #keep(over: AbortController): Promise<void> {
    const { clock, elapsed, log } = this.#ports
    const { renewMs } = this.#options
    while (!over.signal.aborted) {
      const sinceRenewal = elapsed() - this.#renewedAt
      const pause = sinceRenewal < renewMs ? renewMs - sinceRenewal : renewMs / 4
      await clock
        .sleep(Math.max(1, Math.min(pause, this.#leftMs)), over.signal)
        .catch(() => undefined)
      if (over.signal.aborted) return
      if (this.isLeading) await this.#renew(over.signal)
      if (this.isLeading) continue
      log.warn('leadership_lost', { lease_holder: this.holder })
      over.abort('leadership lost')
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    if (this.#record === null) return
    const { clock, elapsed } = this.#ports
    const startedAt = elapsed()
    const record = { ...this.#record, renewTime: microTime(clock.now()) }
    try {
      const renewed = this.#within(this.#leftMs, signal, (limit) => this.#replace(record, limit))
      this.#hold(await renewed, startedAt)
    } catch (error) {
      if (!signal.aborted) await this.#afterFailedRenewal(error, record, startedAt, signal)
    }
  }

  /** The answer may have got lost, or another one may have taken over: the lease tells. */
  async #afterFailedRenewal(
    error: unknown,
    record: LeaseRecord,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<void> {
    this.#failed(error, 'renew_lease')
    const { renewMs } = this.#options
    const leftMs = this.#leftMs
    if (leftMs <= 0) return
    const lease = await this.#look(Math.min(renewMs, leftMs), signal).catch(() => null)
    if (lease === null) return
    const { holder, renewTime } = leaseRecord(lease)
    if (holder !== this.#options.identity) {
      this.#record = null
      return
    }
    this.#version = lease.metadata.resourceVersion ?? ''
    if (renewTime === record.renewTime) this.#hold(lease, startedAt)
  }

  async #tryToAcquire(signal: AbortSignal): Promise<boolean> {
    const { api, elapsed } = this.#ports
    const startedAt = elapsed()
    try {
      const lease = await this.#look(this.#options.durationMs, signal)
      if (lease === null) {
        const created = leaseObject(this.#options.lease, this.#ours(null))
        this.#hold(await api.create(leases, created, signal), startedAt)
        return true
      }
      if (!this.#isFree(lease)) return false
      this.#version = lease.metadata.resourceVersion ?? ''
      const sentAt = elapsed()
      this.#hold(await this.#replace(this.#ours(leaseRecord(lease)), signal), sentAt)
      return true
    } catch (error) {
      // Somebody else was faster, or will be seen to have been.
      if (!signal.aborted && !hasStatus(error, 409)) this.#failed(error, 'acquire_lease')
      return false
    }
  }

  #isFree(lease: KubeObject): boolean {
    const record = leaseRecord(lease)
    const version = lease.metadata.resourceVersion ?? ''
    if (this.#observed?.version !== version) {
      this.#observed = { version, record, at: this.#ports.elapsed() }
    }
    // Given back; or ours, from before we failed to renew it: nobody else has led since.
    if (record.holder === '' || record.holder === this.#options.identity) return true
    return this.#ports.elapsed() >= this.#observed.at + record.durationMs
  }

  /** When the lease that we see ends, if that is sooner than the next regular look. */
  #untilNextLook(): number {
    const { lookMs } = this.#options
    if (this.#observed === null) return lookMs
    const endsIn = this.#observed.at + this.#observed.record.durationMs - this.#ports.elapsed()
    return endsIn > 0 ? Math.min(lookMs, endsIn) : lookMs
  }

  async #look(ms: number, signal: AbortSignal): Promise<KubeObject | null> {
    const { api } = this.#ports
    try {
      return await this.#within(ms, signal, (limit) => api.get(leases, this.#options.lease, limit))
    } catch (error) {
      if (hasStatus(error, 404)) return null
      throw error
    }
  }

  #replace(record: LeaseRecord, signal: AbortSignal): Promise<KubeObject> {
    const lease = leaseObject(this.#options.lease, record, this.#version)
    return this.#ports.api.replace(leases, lease, signal)
  }

  #ours(before: LeaseRecord | null): LeaseRecord {
    const { identity, durationMs } = this.#options
    const now = microTime(this.#ports.clock.now())
    const transitions = before === null ? 0 : before.transitions + 1
    return { holder: identity, durationMs, transitions, acquireTime: now, renewTime: now }
  }

  #hold(lease: KubeObject, startedAt: number): void {
    this.#version = lease.metadata.resourceVersion ?? ''
    this.#record = leaseRecord(lease)
    this.#observed = null
    this.#renewedAt = startedAt
  }

  /** So that the next one need not wait. Dying before it costs others the duration of the lease. */
  async #giveBack(): Promise<void> {
    const record = this.#record
    const wasLeading = this.isLeading
    this.#record = null
    this.#renewedAt = Number.NEGATIVE_INFINITY
    if (record === null || !wasLeading) return
    try {
      await this.#release({ ...record, holder: '', durationMs: 1000 })
    } catch (error) {
      this.#failed(error, 'release_lease')
    }
  }

  /** A renewal that was given up on the way here may have arrived: it is ours in another version. */
  async #release(released: LeaseRecord): Promise<void> {
    const { renewMs, identity } = this.#options
    const never = new AbortController().signal
    const release = () => this.#within(renewMs, never, (limit) => this.#replace(released, limit))
    try {
      await release()
    } catch (error) {
      if (!hasStatus(error, 409)) throw error
      const lease = await this.#look(renewMs, never)
      if (lease === null || leaseRecord(lease).holder !== identity) return
      this.#version = lease.metadata.resourceVersion ?? ''
      await release()
    }
  }

  /** Gives a request up when it takes longer: then there is no answer. */
  async #within<T>(
    ms: number,
    signal: AbortSignal,
    request: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const givenUp = new AbortController()
    const answered = new AbortController()
    const failure = new ApiFailure(`no answer within ${Math.ceil(ms)} ms`, { status: null })
    const limit = this.#ports.clock.sleep(ms, answered.signal).then(
      () => {
        throw failure
      },
      // Nobody waits for it any more.
      () => undefined as never,
    )
    try {
      // Not left to the request: one that does not end must not prolong a term.
      return await Promise.race([request(AbortSignal.any([signal, givenUp.signal])), limit])
    } finally {
      answered.abort()
      givenUp.abort(failure)
    }
  }

  #failed(error: unknown, operation: string): void {
    this.#ports.log.failure(error, { operation })
  }
}
