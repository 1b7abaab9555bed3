import type { Clock, Log, MetricRegistry } from '@kron/runtime'
import type { Tracer } from '@opentelemetry/api'
import { createMiddleware } from 'hono/factory'
import { newId } from '../domain/index.js'
import { traceRequest } from '../tracing/index.js'
import type { ApiEnv } from './api-ports.js'

interface FramePorts {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: MetricRegistry
  readonly tracer?: Tracer
  /** Browsers are to use https only. */
  readonly https: boolean
}

const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]

/** Machines ask for these all the time. */
const untraced: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** What an answer has unless it says otherwise, as pages of the dashboard do. */
const securityHeaders: readonly (readonly [name: string, value: string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cache-control', 'no-store'],
]

/** Around every request: its id, its headers of safety, its figures and its line in the log. */
export function requestFrame({ clock, log, metrics, tracer, https }: FramePorts) {
  const requests = metrics.counter({
    name: 'kron_http_requests_total',
    help: 'Requests to the API, by route and status.',
    labels: ['method', 'route', 'status'],
  })
  const seconds = metrics.histogram({
    name: 'kron_http_request_seconds',
    help: 'Time from the headers of a request to the headers of its answer.',
    labels: ['route'],
    buckets,
  })
  return createMiddleware<ApiEnv>(async (context, next) => {
    const started = clock.now().getTime()
    const requestId = newId('req', started)
    context.set('requestId', requestId)
    context.set('route', 'unknown')
    await next()
    const { headers, status } = context.res
    headers.set('x-request-id', requestId)
    for (const [name, value] of securityHeaders) if (!headers.has(name)) headers.set(name, value)
    if (https) headers.set('strict-transport-security', 'max-age=31536000')
    const ended = Math.max(started, clock.now().getTime())
    const durationMs = ended - started
    const route = context.get('route')
    const method = knownMethod(context.req.method)
    requests.with({ method, route, status: String(status) }).increment()
    seconds.with({ route }).observe(durationMs / 1000)
    log.debug('request', { requestId, method, route, status, durationMs })
    if (tracer !== undefined && !untraced.has(route)) {
      const traceparent = context.req.header('traceparent')
      const times = { startedAt: started, endedAt: ended }
      traceRequest(tracer, { method, route, status, requestId, ...times, traceparent })
    }
  })
}

/** Anybody can send any method, and each would be a label of its own. */
function knownMethod(method: string): string {
  return /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) ? method : 'other'
}
