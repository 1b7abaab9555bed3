import { createLog } from '@kron/runtime'
import type { VirtualClock } from '@kron/runtime/testing'
import type { KubeApi } from '../../packages/operator/src/kube/index.js'
import { Operator } from '../../packages/operator/src/start/operator.js'
import type { StartSettings } from '../../packages/operator/src/start/start-settings.js'
import { type FaultSource, FaultyKubeApi } from '../../packages/operator/testing/kube-api/index.js'
import type { Chronicle, SentRequest } from './chronicle.js'
import { Life } from './life.js'
import { attributed, processApi } from './process-api.js'
import type { Sabotage } from './sabotage.js'

export interface ProcessParts {
  readonly name: string
  readonly api: KubeApi
  readonly clock: VirtualClock
  readonly chronicle: Chronicle
  readonly faults: FaultSource
  /** How far its wall clock is off. */
  readonly skewMs: number
  /** Null: it acts without one. */
  readonly leaseMs: number | null
  readonly resyncMs: number
  readonly sabotage: Sabotage
}

/** One life of a whole operator, with its own clock, on the API server of the world. */
export class OperatorProcess {
  readonly life: Life
  skewMs: number
  readonly #parts: ProcessParts
  readonly #stop = new AbortController()

  constructor(parts: ProcessParts) {
    this.#parts = parts
    this.skewMs = parts.skewMs
    this.life = new Life(parts.name)
    const { sabotage, clock } = parts
    const own = {
      now: () => new Date(clock.now().getTime() + this.skewMs),
      sleep: (ms: number, signal?: AbortSignal) => this.life.wait(clock.sleep(ms, signal)),
    }
    const ports = sabotage.ports(
      {
        api: this.#createApi(),
        clock: own,
        elapsed: () => clock.now().getTime(),
        log: createLog({
          clock: own,
          component: 'kron-operator',
          format: 'json',
          level: process.env['KRON_LOG'] === '1' ? 'debug' : 'error',
          write: (line) => {
            if (process.env['KRON_LOG'] === '1') {
              console.log(`${clock.now().toISOString()} ${parts.name} ${line}`)
            }
          },
        }),
        identity: parts.name,
        namespace: 'kron',
      },
      this.life,
    )
    const operator = new Operator(settingsOf(parts), ports)
    void operator.run(this.#stop.signal).catch((error: unknown) => {
      if (!this.life.isDead) throw error
    })
  }

  /** As an orderly end: it gives its lease back. */
  stop(): void {
    this.#stop.abort('stopped')
  }

  #createApi(): KubeApi {
    const { api, clock, chronicle, faults, sabotage, leaseMs } = this.#parts
    const senders = new WeakMap<object, SentRequest>()
    const faulty = new FaultyKubeApi(attributed(api, chronicle, senders), clock, faults)
    const send = (what: Pick<SentRequest, 'verb' | 'plural' | 'name'>): SentRequest => {
      const at = clock.now().getTime()
      const sent = {
        ...what,
        process: this.life.name,
        at,
        clock: at + this.skewMs,
        leader: chronicle.leader,
        isLawless: leaseMs === null,
      }
      chronicle.sent(sent)
      return sent
    }
    return sabotage.api(processApi(faulty, this.life, chronicle, send, senders))
  }
}

function settingsOf({ leaseMs, resyncMs }: ProcessParts): StartSettings {
  return {
    listen: null,
    lease:
      leaseMs === null
        ? null
        : { name: 'kron-operator', namespace: undefined, durationMs: leaseMs },
    logFormat: 'json',
    logLevel: 'error',
    resyncMs,
    maxRequests: 32,
  }
}
