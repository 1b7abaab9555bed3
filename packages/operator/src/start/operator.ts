import { type Clock, type Log, MetricRegistry } from '@kron/runtime'
import { Controller, defaultOptions } from '../controller/index.js'
import type { GuardableKubeApi } from '../kube/index.js'
import { LeaseElector, type Term } from '../leadership/lease-elector.js'
import { LeadershipLost } from '../requests/requests.js'
import { countingObserver, measureOperator, type OperatorFigures } from './operator-metrics.js'
import type { StartSettings } from './start-settings.js'

export interface OperatorPorts {
  readonly api: GuardableKubeApi
  readonly clock: Clock
  /** Milliseconds of a clock that nobody sets. */
  readonly elapsed: () => number
  readonly log: Log
  readonly metrics?: MetricRegistry
  /** Of this process and no other. */
  readonly identity: string
  /** Where the lease is. */
  readonly namespace: string
}

/** Lease 15 s: renewed every 2 s, given up after 10 s; one that waits looks every second. */
const renewals = 7.5
const deadlineShare = 2 / 3
const looks = 15
/** A loop that has not turned for so long is stuck; it turns at least once a minute. */
const stuckMs = 120_000

/** Candidate for leadership, and a controller for each term. */
export class Operator implements OperatorFigures {
  readonly startedAt: number
  readonly #settings: StartSettings
  readonly #ports: OperatorPorts
  readonly #metrics: MetricRegistry
  readonly #observer: ReturnType<typeof countingObserver>
  readonly #elector: LeaseElector | null
  #controller: Controller | null = null
  #term: Term | null = null

  constructor(settings: StartSettings, ports: OperatorPorts) {
    this.#settings = settings
    this.#ports = ports
    this.startedAt = ports.clock.now().getTime()
    this.#metrics = ports.metrics ?? new MetricRegistry()
    this.#observer = countingObserver(this.#metrics)
    this.#elector = this.#createElector()
    measureOperator(this.#metrics, this)
  }

  #createElector(): LeaseElector | null {
    const { lease } = this.#settings
    if (lease === null) return null
    const { api, clock, elapsed, log, identity, namespace } = this.#ports
    const { durationMs } = lease
    return new LeaseElector(
      {
        lease: { namespace: lease.namespace ?? namespace, name: lease.name },
        identity,
        durationMs,
        renewDeadlineMs: durationMs * deadlineShare,
        renewMs: durationMs / renewals,
        lookMs: durationMs / looks,
      },
      { api, clock, elapsed, log },
    )
  }

  get isLeading(): boolean {
    return this.#term?.isHeld() ?? false
  }

  get leader(): string {
    return this.#elector?.holder ?? this.#ports.identity
  }

  /** A leader that has read everything, or one that waits and knows for whom. */
  get isReady(): boolean {
    return this.#controller === null ? this.leader !== '' : this.#controller.isReady
  }

  get isHealthy(): boolean {
    const { clock } = this.#ports
    if (this.#controller?.isReady !== true) return true
    return clock.now().getTime() - this.#controller.lastTurnAt < stuckMs
  }

  isQuietFor(ms: number): boolean {
    return this.#controller?.isQuietFor(ms) ?? true
  }

  get kronJobCount(): number {
    return this.#controller?.kronJobCount ?? 0
  }

  get queueDepth(): number {
    return this.#controller?.queueDepth ?? 0
  }

  get waitingRequests(): number {
    return this.#controller?.waitingRequests ?? 0
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#elector !== null) {
      return await this.#elector.run((term) => this.#lead(term), signal)
    }
    await this.#lead({ isHeld: () => !signal.aborted, signal })
  }

  async #lead(term: Term): Promise<void> {
    const { api: unguarded, clock, log, identity } = this.#ports
    // A process that was frozen may have requests that wait for a connection: they must not go.
    const api = unguarded.guardedBy?.(() => checkHeld(term)) ?? unguarded
    const { namespace, resyncMs, maxRequests } = this.#settings
    const warmUp = unguarded.warmUp?.bind(unguarded)
    const ports = { api, warmUp, clock, log, observer: this.#observer, isLeading: term.isHeld }
    const options = { ...defaultOptions, namespace, resyncMs, maxRequests }
    this.#term = term
    this.#controller = new Controller(ports, options, identity)
    try {
      await this.#controller.run(term.signal)
    } finally {
      this.#controller = null
      this.#term = null
    }
  }
}

function checkHeld(term: Term): void {
  if (!term.isHeld()) throw new LeadershipLost()
}
