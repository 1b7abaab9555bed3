import { ROOT_CONTEXT, type Tracer } from '@opentelemetry/api'
import type { Claim } from '../store/index.js'

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
