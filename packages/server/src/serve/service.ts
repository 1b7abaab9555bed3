import { join } from 'node:path'
import { type Clock, type Log, MetricRegistry } from '@kron/runtime'
import { createApi, type HttpServer, serveApi } from '../api/index.js'
import { createAddressGuard, createDispatcher } from '../dispatch/index.js'
import { plannerLoop, rulesPlanner } from '../planner/index.js'
import { retentionLoop } from '../retention/index.js'
import { loadVault } from '../secrets/index.js'
import type { CreatedTenant, ServicePorts } from '../service/index.js'
import { usualWorkerLimits, Worker } from '../worker/index.js'
import { firstTenant } from './first-tenant.js'
import { openStore } from './open-store.js'
import type { ServeOptions } from './serve-options.js'

export interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  /** Milliseconds that only ever grow. */
  readonly elapsed: () => number
  readonly random: () => number
}

export interface Service {
  /** Where the API is, when this process has it. */
  readonly url: string | null
  /** The tenant that was made because there was none. */
  readonly created: CreatedTenant | null
  /** Lets what is under way end, records it, and closes everything. */
  stop(): Promise<void>
}

/** Something that was started, and how it is stopped. The last one started stops first. */
type Stop = () => Promise<void>

/** All parts of a process, by its roles. If one can't start, those before it are stopped. */
export async function startService(
  options: ServeOptions,
  surroundings: Surroundings,
): Promise<Service> {
  const stops: Stop[] = []
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const { url, created } = await startParts(options, surroundings, stops)
    return { url, created, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startParts(
  options: ServeOptions,
  surroundings: Surroundings,
  stops: Stop[],
): Promise<Omit<Service, 'stop'>> {
  const { clock, log } = surroundings
  const keyFile = join(options.folder, 'secret.key')
  const store = await openStore(options, clock)
  stops.push(() => store.close())
  const vault = await loadVault({ secretKey: options.secretKey, keyFile })
  const addressGuard = createAddressGuard({ allow: options.allow })
  const ports: ServicePorts = { store, vault, addressGuard }
  const metrics = new MetricRegistry()
  const created = await firstTenant(ports)

  if (options.roles.includes('worker'))
    stops.push(startWorker(options, surroundings, ports, metrics))
  if (options.roles.includes('planner')) {
    stops.push(
      startLoop((signal) =>
        plannerLoop({ store, planners: [rulesPlanner], clock, log, metrics }, signal),
      ),
      startLoop((signal) => retentionLoop({ store, clock, log, metrics }, signal)),
    )
  }
  if (!options.roles.includes('api')) return { url: null, created }
  const server = await startApi(options, surroundings, ports, metrics, stops)
  return { url: server.url, created }
}

function startWorker(
  options: ServeOptions,
  surroundings: Surroundings,
  { store, vault, addressGuard }: ServicePorts,
  metrics: MetricRegistry,
): Stop {
  const { clock, mostInFlight } = { ...surroundings, ...options }
  const dispatcher = createDispatcher({
    addressGuard,
    maxConnections: Math.max(512, options.connectionsPerOrigin),
    maxConnectionsPerOrigin: options.connectionsPerOrigin,
    now: () => clock.now().getTime(),
  })
  const limits = { ...usualWorkerLimits, mostInFlight }
  const worker = new Worker({ ...surroundings, ...limits, store, vault, dispatcher, metrics })
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

async function startApi(
  options: ServeOptions,
  { clock, log }: Surroundings,
  ports: ServicePorts,
  metrics: MetricRegistry,
  stops: Stop[],
): Promise<HttpServer> {
  const stopping = new AbortController()
  const { host, port, publicUrl, signup, graceMs } = options
  const app = createApi({
    ...ports,
    clock,
    log,
    metrics,
    signup,
    ...(publicUrl !== undefined && { publicUrl }),
    stopping: stopping.signal,
  })
  const server = await serveApi(app, { host, port, graceMs })
  stops.push(() => {
    stopping.abort()
    return server.close()
  })
  return server
}
