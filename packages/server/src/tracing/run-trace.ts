import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { Dispatcher, ExchangeRequest, ExchangeResult, Stop } from '../dispatch/index.js'
import { instantText, runId } from '../domain/index.js'
import type { Outcome } from '../scheduling/index.js'
import type { Claim, ClaimedRun } from '../store/index.js'
import { traceParentOf } from './trace-parent.js'

/** One run as a span, with a span for each request below it. */
export class RunTrace {
  readonly #tracer: Tracer
  readonly #span: Span
  readonly #context: Context

  constructor(tracer: Tracer, run: ClaimedRun) {
    this.#tracer = tracer
    this.#span = tracer.startSpan(
      'run',
      {
        kind: SpanKind.INTERNAL,
        attributes: {
          'kron.run.id': runId(run),
          'kron.run.source': run.source,
          'kron.run.scheduled_for': instantText(run.scheduledFor),
          'kron.endpoint.id': run.endpointId,
          'kron.tenant.id': run.tenantId,
        },
      },
      ROOT_CONTEXT,
    )
    this.#context = trace.setSpan(ROOT_CONTEXT, this.#span)
  }

  /** The same ports for this run: its requests carry the trace, unless they have their own. */
  of<Ports extends { readonly dispatcher: Dispatcher }>(ports: Ports): Ports {
    const { dispatcher } = ports
    const traced: Dispatcher = {
      waiting: dispatcher.waiting,
      send: (request, stop) => this.#send(dispatcher, request, stop),
      close: () => dispatcher.close(),
    }
    return { ...ports, dispatcher: traced }
  }

  end({ status, reason, attempts, error }: Outcome): void {
    this.#span.setAttributes({ 'kron.run.status': status, 'kron.run.attempts': attempts })
    if (reason !== null) this.#span.setAttribute('kron.run.reason', reason)
    endAs(this.#span, status, error?.code)
  }

  async #send(
    dispatcher: Dispatcher,
    request: ExchangeRequest,
    stop: Stop,
  ): Promise<ExchangeResult> {
    const { method, headers } = request
    const span = this.#tracer.startSpan(
      method,
      { kind: SpanKind.CLIENT, attributes: requestAttributes(request) },
      this.#context,
    )
    const result = await dispatcher.send(
      { ...request, headers: { traceparent: traceParentOf(span), ...headers } },
      stop,
    )
    const { status, httpStatus, error } = result
    if (httpStatus !== null) span.setAttribute('http.response.status_code', httpStatus)
    endAs(span, status, error?.code)
    return result
  }
}

/** Neither path nor query nor headers: they may hold what is nobody's business. */
function requestAttributes({ method, url, headers }: ExchangeRequest): Attributes {
  const attempt = Number(headers['kron-attempt'])
  const attributes = { 'http.request.method': method, 'kron.attempt': attempt }
  const parsed = URL.parse(url)
  // The dispatcher says what is wrong with it.
  if (parsed === null) return attributes
  const defaultPort = parsed.protocol === 'https:' ? 443 : 80
  return {
    ...attributes,
    'server.address': parsed.hostname,
    'server.port': parsed.port === '' ? defaultPort : Number(parsed.port),
  }
}

function endAs(span: Span, status: string, code: string | undefined): void {
  if (status !== 'success' && status !== 'released') {
    span.setAttribute('error.type', code ?? status)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

/** A claim that brought something and took so long until now; empty ones say nothing. */
export function traceClaim(
  tracer: Tracer,
  { claimed, ended }: Claim,
  tookMs: number,
  now: number,
): void {
  if (claimed.length + ended.length === 0) return
  const attributes = { 'kron.claim.runs': claimed.length, 'kron.claim.ended': ended.length }
  tracer.startSpan('claim', { attributes, startTime: now - tookMs }, ROOT_CONTEXT).end(now)
}
