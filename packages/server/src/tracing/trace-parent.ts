import { type Context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'

const pattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const zeros = /^0+$/

/** The header `traceparent` of W3C Trace Context, for a request that belongs to the span. */
export function traceParentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** What the header of a request says its parent is; nothing where it says nothing valid. */
export function parentOf(header: string | undefined): Context {
  const [, traceId, spanId, flags, rest] = pattern.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const isKnown = !header!.startsWith('ff') && !(header!.startsWith('00') && rest !== undefined)
  if (!isKnown || zeros.test(traceId) || zeros.test(spanId)) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & 1
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
