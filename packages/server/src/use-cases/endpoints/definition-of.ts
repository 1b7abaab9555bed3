import type { EndpointDefinition } from '../../domain/index.js'
import type { EndpointDraft } from './endpoint-draft.js'

export function definitionOf(
  draft: Omit<EndpointDraft, 'headers'>,
  sealedHeaders: Readonly<Record<string, string>>,
): EndpointDefinition {
  const { cron, timezone, intervalMs, jitterMs, ...same } = draft
  return { ...same, headers: sealedHeaders, baseline: { cron, timezone, intervalMs, jitterMs } }
}
