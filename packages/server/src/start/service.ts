import { addProcessMetrics, type Clock, type Log, MetricRegistry } from '@kron/runtime'
import type { Tracer } from '@opentelemetry/api'
import { createApi, createOperatorApp, type HttpServer, serveApi } from '../api/index.js'
import { createAddressGuard, createDispatcher } from '../dispatch/index.js'
import { plannerLoop, rulesPlanner } from '../planner/index.js'
import { retentionLoop } from '../retention/retention-loop.js'
import { openTracing } from '../tracing/index.js'
import { usageLoop } from '../usage/usage-loop.js'
import type { UseCasePorts } from '../use-cases/index.js'
import { defaultWorkerLimits, Worker } from '../worker/worker.js'
import { type FirstTenant, firstTenant, type KeyKeeper } from './first-tenant.js'
import { afterRestore, endPastHolds, makeFolder, openStore } from './open-store.js'
import { openVault } from './open-vault.js'
import type { ServeOptions } from './serve-options.js'
import { starting } from './start-error.js'

/** What a process acts on the world through. */
export interface StartPorts {
  readonly clock: Clock
  readonly log: Log
  /** Milliseconds that only ever grow. */
  readonly elapsed: () => number
  readonly random: () => number
  /** Keeps the key of the first tenant for its user; without it the key is only answered. */
  readonly keyKeeper?: KeyKeeper | null
}

export interface Service {
  /** Where this process listens, if it does. */
  readonly url: string | null
  /** The tenant that was created because there was none: never without the API. */
  readonly created: FirstTenant | null
  /** Lets what is under way end, records it, and closes everything. */
  stop(): Promise<void>
}

/** What tells operators how the parts are doing. */
interface Watched {
  readonly metrics: MetricRegistry
  readonly tracer?: Tracer
}

/** How something that was started is stopped. */
type Stop = () => Promise<void>

/** What takes requests stops first, then the rest, the last one started before the others. */
interface Stops {
  readonly doors: Stop[]
  readonly parts: Stop[]
}

/** All parts of a process, by its roles. If one can't start, those before it are stopped. */
export async function startService(
  options: ServeOptions,
  startPorts: StartPorts,
): Promise<Service> {
  const stops: Stops = { doors: [], parts: [] }
  const stop = async (): Promise<void> => {
    for (const end of stops.doors.splice(0)) await end()
    for (const end of stops.parts.splice(0).reverse()) await end()
  }
  try {
    const { url, created } = await startParts(options, startPorts, stops)
    return { url, created, stop }
  } catch (error) {
    // Why it could not start is worth more than why it could not stop either.
    await stop().catch((failure) => startPorts.log.failure(failure, { operation: 'stop' }))
    throw error
  }
}

async function startParts(
  options: ServeOptions,
  startPorts: StartPorts,
  { doors, parts }: Stops,
): Promise<Omit<Service, 'stop'>> {
  const { clock, log } = startPorts
  const { roles, allow, systemQuotas } = options
  const addressGuard = await starting('allow', () => createAddressGuard({ allow }))
  await makeFolder(options)
  const hasWorker = roles.includes('worker')
  const store = await openStore(options, clock, { hasWorker, systemQuotas })
  parts.push(() => store.close())
  const vault = await openVault(store, options, options)
  const ports: UseCasePorts = { store, vault, addressGuard }
  const metrics = new MetricRegistry()
  addProcessMetrics(metrics)
  const tracer = await startTracing(options, startPorts, parts)
  const watched = { metrics, ...(tracer && { tracer }) }
  // Before anything is sent: a process whose port is taken must not work for a moment.
  const server = await listen(options, startPorts, ports, watched, doors)
  // Where the API is there are people to be shown its key; the output of workers goes into logs. A
  // worker that starts first finds nothing to do, and the API makes the tenant when it comes.
  const hasApi = roles.includes('api')
  const created = hasApi
    ? await starting('database', () => firstTenant(ports, startPorts.keyKeeper))
    : null
  if (options.restored === true) await starting('database', () => afterRestore(store, log))

  if (hasWorker) {
    await starting('database', () => endPastHolds(store))
    parts.push(startWorker(options, startPorts, ports, watched))
  }
  if (roles.includes('planner')) {
    parts.push(
      startLoop((signal) =>
        plannerLoop({ store, planners: [rulesPlanner], clock, log, metrics }, signal),
      ),
      startLoop((signal) => retentionLoop({ store, clock, log, metrics }, signal)),
      startLoop((signal) => usageLoop({ store, clock, log, metrics }, signal)),
    )
  }
  return { url: server?.url ?? null, created }
}

async function startTracing(
  { tracing }: ServeOptions,
  startPorts: StartPorts,
  parts: Stop[],
): Promise<Tracer | null> {
  if (tracing === null) return null
  const { tracer, close } = await openTracing(tracing, startPorts)
  parts.push(close)
  return tracer
}

function startWorker(
  options: ServeOptions,
  startPorts: StartPorts,
  { store, vault, addressGuard }: UseCasePorts,
  watched: Watched,
): Stop {
  const { clock, maxInFlight } = { ...startPorts, ...options }
  const dispatcher = createDispatcher({
    addressGuard,
    maxConnections: options.connections,
    maxConnectionsPerOrigin: options.connectionsPerOrigin,
    now: () => clock.now().getTime(),
  })
  const limits = { ...defaultWorkerLimits, maxInFlight }
  const worker = new Worker({ ...startPorts, ...limits, store, vault, dispatcher, ...watched })
  worker.start()
  return async () => {
    await worker.stop(options.graceMs)
    await dispatcher.close()
  }
}

function startLoop(loop: (signal: AbortSignal) => Promise<void>): Stop {
  const stopping = new AbortController()
  const ended = loop(stopping.signal)
  return () => {
    stopping.abort()
    return ended
  }
}

/** The API, or what operators look at where this process has none. */
async function listen(
  options: ServeOptions,
  { clock, log }: StartPorts,
  ports: UseCasePorts,
  watched: Watched,
  doors: Stop[],
): Promise<HttpServer | null> {
  const { roles, host, port, publicUrl, signup, signupQuotas, maxTenants, graceMs } = options
  if (port === null) return null
  const stopping = new AbortController()
  const common = { clock, log, ...watched, ...(publicUrl !== undefined && { publicUrl }) }
  const app = roles.includes('api')
    ? createApi({
        ...ports,
        ...common,
        signup,
        signupQuotas,
        maxTenants,
        stopping: stopping.signal,
      })
    : createOperatorApp({ store: ports.store, ...common })
  const server = await starting('listener', () => serveApi(app, { host, port, clock, graceMs }))
  doors.push(() => {
    stopping.abort()
    return server.close()
  })
  return server
}
