import type { Endpoint, Plan } from '../../domain/index.js'
import { instantText } from '../../insight/index.js'
import { draftOf } from './endpoint-draft.js'

type Fields = Readonly<Record<string, unknown>>

/** What the audit log keeps of a definition: of headers the names, of a body its size. */
export function auditedEndpoint(endpoint: Endpoint): Fields {
  const { definition, jobId, archivedAt } = endpoint
  const { body } = definition
  return {
    jobId,
    ...draftOf(endpoint),
    headers: Object.keys(definition.headers),
    body: body === null ? null : { ...body, content: `${body.content.length} characters` },
    archived: archivedAt !== null,
  }
}

/** What it keeps of a plan: that which people and planners may change. */
export function auditedPlan(plan: Plan): Fields {
  const { pausedUntil, pauseReason, intervalHint, oneShotHint, failureCount } = plan
  return {
    pausedUntil: pausedUntil === null ? null : instantText(pausedUntil),
    pauseReason,
    intervalHint: intervalHint && {
      ...intervalHint,
      expiresAt: instantText(intervalHint.expiresAt),
    },
    oneShotHint: oneShotHint && {
      ...oneShotHint,
      nextRunAt: instantText(oneShotHint.nextRunAt),
      expiresAt: instantText(oneShotHint.expiresAt),
    },
    failureCount,
  }
}
