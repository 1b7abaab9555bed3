import type { Clock } from '@kron/runtime'
import type { Tracer } from '@opentelemetry/api'
import type { Dispatcher } from '../dispatch/index.js'
import type { CompiledEndpoint, Outcome } from '../scheduling/index.js'
import type { Vault } from '../secrets/index.js'
import type { Store } from '../store/index.js'
import { RunTrace } from '../tracing/index.js'
import type { DatabaseTime } from './database-time.js'
import { type ExecutionPorts, execute, withoutBody } from './execution.js'
import { type LiveRun, startedEvent } from './live-runs.js'
import { RequestTemplate } from './request-template.js'
import { SigningSecrets } from './signing-secrets.js'
import type { WorkerMetrics } from './worker-metrics.js'

/** What runs are sent through. */
export interface SenderPorts {
  readonly store: Store
  readonly dispatcher: Dispatcher
  readonly vault: Vault
  readonly clock: Clock
  /** Milliseconds that only ever grow; the wall clock is not asked. */
  readonly elapsed: () => number
  readonly random: () => number
  readonly tracer?: Tracer
}

interface RunSenderOptions extends SenderPorts {
  readonly time: DatabaseTime
  readonly metrics: WorkerMetrics
}

/** Sends runs whose time has come. What they need is prepared before that. */
export class RunSender {
  /** The values that sign requests. `forget` tells them of a change. */
  readonly secrets: SigningSecrets
  readonly #options: RunSenderOptions
  readonly #ports: ExecutionPorts
  readonly #templates = new WeakMap<CompiledEndpoint, RequestTemplate>()

  constructor(options: RunSenderOptions) {
    const { store, vault, dispatcher, time, clock, random, elapsed } = options
    this.#options = options
    this.secrets = new SigningSecrets(store, vault, elapsed)
    const secrets: ExecutionPorts['secrets'] = (tenantId, name) => this.secrets.get(tenantId, name)
    this.#ports = { dispatcher, time, clock, random, secrets }
  }

  /** Before it is due, so that it need not be done then. What fails here fails again when it counts. */
  prepare(compiled: CompiledEndpoint): void {
    const { tenantId, definition } = compiled.endpoint
    void this.secrets.get(tenantId, definition.secret)
    try {
      this.#templateOf(compiled)
    } catch {}
  }

  async send({ claimed, compiled, stop }: LiveRun): Promise<Outcome> {
    const { tracer, time, metrics } = this.#options
    const { signals } = this.#options.store
    if (!stop.isStopped && signals.isWanted(claimed.tenantId)) {
      signals.publish([startedEvent(claimed, Math.floor(time.earliest))])
    }
    const { definition } = compiled.endpoint
    const trace = tracer === undefined ? null : new RunTrace(tracer, claimed)
    const ports = trace === null ? this.#ports : trace.of(this.#ports)
    const templateOf = (): RequestTemplate => this.#templateOf(compiled)
    const outcome = await execute(ports, claimed, definition, templateOf, stop)
    trace?.end(outcome)
    metrics.lateness.observe(Math.max(0, outcome.startedAt - claimed.scheduledFor) / 1000)
    metrics.duration.observe(Math.max(0, outcome.endedAt - outcome.startedAt) / 1000)
    return definition.keepResponses ? outcome : withoutBody(outcome)
  }

  #templateOf(compiled: CompiledEndpoint): RequestTemplate {
    let template = this.#templates.get(compiled)
    if (template === undefined) {
      template = new RequestTemplate(compiled.endpoint, this.#options.vault)
      this.#templates.set(compiled, template)
    }
    return template
  }
}
