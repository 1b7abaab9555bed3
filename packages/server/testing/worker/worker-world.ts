import { createLog, MetricRegistry } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { createAddressGuard, type Dispatcher } from '../../src/dispatch/index.js'
import { type Endpoint, type EndpointDefinition, type Run, runId } from '../../src/domain/index.js'
import { createVault, newSealingKeyText, parseSealingKeys } from '../../src/secrets/index.js'
import { type Store, StoreError } from '../../src/store/index.js'
import { type Call, inCall } from '../../src/use-cases/index.js'
import { defaultWorkerLimits, Worker, type WorkerOptions } from '../../src/worker/worker.js'
import { byInterval, sampleNow } from '../sample-endpoint.js'
import { SampleStore } from '../sample-store.js'

export const minute = 60_000
export const never = Number.MAX_SAFE_INTEGER
export const lost = () => new StoreError('timeout', 'the answer got lost', 'unknown')
export const away = () => new StoreError('unavailable', 'the store is away', 'no')

/** A request, by milliseconds from the beginning. */
interface Sent {
  readonly id: string
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  endedAt: number | null
}

export const vault = createVault(parseSealingKeys(newSealingKeyText(), 'test'))

/** Workers in virtual time, with a store and with targets that answer when they are told to. */
export class WorkerWorld {
  clock!: VirtualClock
  sample!: SampleStore
  sent: Sent[] = []
  lines: string[] = []
  /** Of the worker that was started last. */
  metrics = new MetricRegistry()
  /** How long the target of an endpoint takes; 100 ms where nothing is said. */
  takesMs = new Map<string, number>()
  /** The headers that the target of an endpoint answers with. */
  answers = new Map<string, () => Readonly<Record<string, string>>>()

  readonly open = async (): Promise<void> => {
    const clock = new VirtualClock(sampleNow)
    this.clock = clock
    this.sample = await SampleStore.open()
    Object.defineProperty(this.sample, 'now', { get: () => clock.now().getTime() })
    this.sent = []
    this.lines = []
    this.takesMs = new Map()
    this.answers = new Map()
  }

  readonly close = (): Promise<void> => this.store.close()

  get store(): Store {
    return this.sample.store
  }

  get tenantId(): string {
    return this.sample.tenantId
  }

  readonly ms = (): number => this.clock.now().getTime() - sampleNow

  readonly at = (instant: number): Promise<void> => this.clock.advanceTo(sampleNow + instant)

  readonly dispatcher: Dispatcher = {
    close: async () => undefined,
    waiting: 0,
    send: async ({ headers, timeoutMs }, { signal }) => {
      const id = headers['kron-run-id']!
      const entry: Sent = { id, at: this.ms(), headers, endedAt: null }
      this.sent.push(entry)
      const endpointId = `ep_${id.split('_')[1]}`
      const wanted = this.takesMs.get(endpointId) ?? 100
      const status = await this.clock.sleep(Math.min(wanted, timeoutMs), signal).then(
        () => (wanted > timeoutMs ? 'timeout' : 'success'),
        () => 'cancelled' as const,
      )
      entry.endedAt = this.ms()
      const answered = this.answers.get(endpointId)?.() ?? {}
      const result = { headers: answered, body: Buffer.from('hello'), truncated: false }
      const times = { startedAt: sampleNow + entry.at, endedAt: sampleNow + entry.endedAt }
      return status === 'success'
        ? { ...result, ...times, status, httpStatus: 200, error: null }
        : { ...result, ...times, status, httpStatus: null, error: { code: status, message: '' } }
    },
  }

  /** The store as the worker sees it, with something between the two. */
  readonly between = (change: Partial<Store>): Store => {
    const { store } = this
    const calls: Partial<Store> = {
      signals: store.signals,
      time: () => store.time(),
      claim: (request, planning) => store.claim(request, planning),
      settleClaim: (claimId, planning) => store.settleClaim(claimId, planning),
      record: (outcomes, planning) => store.record(outcomes, planning),
      tenant: (tenantId, work) => store.tenant(tenantId, work),
    }
    return { ...calls, ...change } as Store
  }

  /** The store, and when the worker claims from it. */
  readonly claimsSeen = (change: Partial<Store> = {}) => {
    const claimsAt: number[] = []
    const { claim } = this.between(change)
    const store = this.between({
      ...change,
      claim: (request, planning) => {
        claimsAt.push(this.ms())
        return claim(request, planning)
      },
    })
    return { store, claimsAt }
  }

  /** The signals of the store, with something between them and the worker. */
  readonly signalsWith = (change: Partial<Store['signals']>): Store['signals'] => {
    const { signals } = this.store
    return {
      onWake: (listener) => signals.onWake(listener),
      onAbort: (listener) => signals.onAbort(listener),
      onSecret: (listener) => signals.onSecret(listener),
      onEvent: (tenantId, listener) => signals.onEvent(tenantId, listener),
      isWanted: (tenantId) => signals.isWanted(tenantId),
      publish: (events) => signals.publish(events),
      ...change,
    }
  }

  readonly started = (change: Partial<WorkerOptions> = {}): Worker => {
    const { clock } = this
    this.metrics = new MetricRegistry()
    const write = (line: string) => void this.lines.push(line)
    const worker = new Worker({
      ...defaultWorkerLimits,
      store: this.store,
      dispatcher: this.dispatcher,
      vault,
      // The wall clock of its machine is an hour off, and its stopwatch began some time ago.
      clock: {
        now: () => new Date(clock.now().getTime() + 60 * minute),
        sleep: clock.sleep.bind(clock),
      },
      elapsed: () => this.ms() + 5_000_000,
      random: () => 0,
      log: createLog({ clock, component: 'worker', level: 'info', format: 'json', write }),
      metrics: this.metrics,
      ...change,
    })
    worker.start()
    return worker
  }

  /** Lets time pass until the worker has stopped; null when it has not after a while. */
  readonly stopped = async (worker: Worker, graceMs: number): Promise<number | null> => {
    let stoppedAt: number | null = null
    void worker.stop(graceMs).then(() => {
      stoppedAt = this.ms()
    })
    for (let n = 0; n < 5_000 && stoppedAt === null; n++) await this.clock.advanceBy(10)
    return stoppedAt
  }

  /** An endpoint whose first run is due a minute after the beginning. */
  readonly added = (change: Partial<EndpointDefinition> = {}): Promise<Endpoint> =>
    this.sample.addEndpoint({ ...byInterval(minute), ...change })

  readonly runsOf = async ({ id }: Endpoint): Promise<readonly Run[]> => {
    const { store, tenantId } = this
    const page = { endpointId: id, limit: 100, after: null }
    const { items } = await store.tenant(tenantId, (rows) => rows.runs.list(page))
    return items.toReversed()
  }

  /** As the API would. */
  readonly call = <T>(work: (call: Call) => Promise<T>): Promise<T> => {
    const { store, tenantId } = this
    const ports = { store, vault, addressGuard: createAddressGuard() }
    return inCall(ports, { tenantId, actor: 'key:1' }, work)
  }
}

export const firstRunOf = ({ id }: Endpoint): string =>
  runId({ endpointId: id, scheduledFor: sampleNow + minute })
