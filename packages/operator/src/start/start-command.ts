import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { type ExitCode, exitCodeOf, exitCodes } from '@kron/command'
import { tzdataVersion } from '@kron/core'
import {
  addProcessMetrics,
  type Clock,
  hostLog,
  kronVersion,
  type Log,
  type LogOutlet,
  MetricRegistry,
} from '@kron/runtime'
import { type Listener, listen } from '@kron/runtime/listen'
import type { GuardableKubeApi } from '../kube/index.js'
import { Operator } from './operator.js'
import { requestObserver } from './operator-metrics.js'
import { operatorAnswer } from './operator-routes.js'
import { readableLines } from './readable-lines.js'
import type { StartSettings } from './start-settings.js'

/** All through which the process of the controller acts. */
export interface StartPorts {
  readonly clock: Clock
  readonly elapsed: () => number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly outlet: LogOutlet
  readonly pid: number
  /** Gives memory back when there is nothing to do, until the signal. */
  readonly keepSmall: (isQuietFor: (ms: number) => boolean, signal: AbortSignal) => Promise<void>
  readonly connect: (settings: StartSettings, observe: RequestObserver) => Promise<Connection>
  /** Calls back when the process is to end; answers how to unsubscribe. */
  readonly onStop: (stop: () => void) => () => void
}

export interface Connection {
  readonly api: GuardableKubeApi
  readonly namespace: string
  readonly server: string
  readonly close: () => Promise<void>
}

type RequestObserver = ReturnType<typeof requestObserver>

/** A controller from its first to its last breath; answers the exit code of the process. */
export async function startCommand(settings: StartSettings, ports: StartPorts): Promise<ExitCode> {
  const { clock, outlet } = ports
  const { logFormat, logLevel: level } = settings
  const format = logFormat === 'readable' ? readableLines(ports.env) : logFormat
  const log = hostLog({ format, level, component: 'kron-operator', clock, outlet })
  const stopping = new AbortController()
  const unsubscribe = ports.onStop(() => stopping.abort('stopped'))
  try {
    await runOperator(settings, ports, log, stopping.signal)
    log.info('stop')
    return exitCodes.success
  } catch (error) {
    log.failure(error, { operation: 'start' })
    return exitCodeOf(error)
  } finally {
    unsubscribe()
  }
}

async function runOperator(
  settings: StartSettings,
  ports: StartPorts,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const { clock, elapsed, env, pid } = ports
  const metrics = new MetricRegistry()
  addProcessMetrics(metrics)
  const { api, ...connection } = await ports.connect(settings, requestObserver(metrics))
  const namespace = env['POD_NAMESPACE'] || connection.namespace
  const identity = `${env['POD_NAME'] || hostname()}_${randomBytes(6).toString('hex')}`
  const operator = new Operator(settings, {
    api,
    clock,
    elapsed,
    log,
    metrics,
    identity,
    namespace,
  })
  let listener: Listener | null = null
  try {
    const scope = settings.namespace ?? null
    const about = {
      version: kronVersion,
      tzdata: tzdataVersion,
      server: connection.server,
      namespace: scope,
    }
    log.info('start', { ...about, identity, pid })
    if (settings.logFormat === 'readable') log.info('foreground')
    listener = await listening(settings.listen, operator, metrics)
    if (listener !== null) log.info('listening', { address: listener.address })
    void ports.keepSmall((ms) => operator.isQuietFor(ms), signal)
    await operator.run(signal)
  } finally {
    await listener?.close()
    await connection.close()
  }
}

async function listening(
  address: string | null,
  operator: Operator,
  metrics: MetricRegistry,
): Promise<Listener | null> {
  if (address === null) return null
  return await listen(
    address,
    operatorAnswer(operator, metrics, { version: kronVersion, tzdata: tzdataVersion }),
  )
}
