import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { parentOf } from './trace-parent.js'

export interface AnsweredRequest {
  readonly method: string
  /** The pattern of its path. */
  readonly route: string
  readonly status: number
  readonly requestId: string
  readonly startedAt: number
  readonly endedAt: number
  readonly traceparent: string | undefined
}

/** A request to the API, as a part of its client's trace if it named one. */
export function traceRequest(tracer: Tracer, request: AnsweredRequest): void {
  const { method, route, status, requestId, startedAt, endedAt, traceparent } = request
  const span = tracer.startSpan(
    `${method} ${route}`,
    {
      kind: SpanKind.SERVER,
      startTime: startedAt,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'kron.request.id': requestId,
      },
    },
    parentOf(traceparent),
  )
  if (status >= 500) {
    span.setAttribute('error.type', String(status))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end(endedAt)
}
