import type { z } from '@hono/zod-openapi'
import {
  draftOf,
  type EndpointWithPlan,
  hintDocuments,
  instantText,
  isQuotaHold,
  type Plan,
} from '../../domain/index.js'
import { effectiveFields, expectedPlan, giverIn, statedPolicy } from '../../scheduling/index.js'
import { endpointStatus, maskedValue } from '../../use-cases/index.js'
import { textOrNull } from '../field-schemas.js'
import type { endpointSchema } from './endpoint-schema.js'

/** An endpoint with its plan in one flat document, at the database's time. */
export function endpointView(found: EndpointWithPlan, now: number): z.input<typeof endpointSchema> {
  const { endpoint, plan } = found
  const { id, jobId, identity, definition, version, createdAt, updatedAt } = endpoint
  const { name, description, url, method, body, ...settings } = draftOf(endpoint)
  const expected = expectedPlan(found, now)
  const { nextRunAt, source, periodId } = expected
  return {
    id,
    jobId,
    identity,
    name,
    description,
    url,
    method,
    headers: masked(definition.headers),
    body,
    ...settings,
    // What the schedule's own text says of them counts as well.
    ...effectiveFields(statedPolicy(definition)),
    status: endpointStatus(found, now),
    nextRunAt: textOrNull(nextRunAt),
    source,
    giver: giverIn(expected),
    periodId,
    lastRunAt: textOrNull(plan.lastRunAt),
    lastStatus: plan.lastStatus,
    failureCount: plan.failureCount,
    ...pauseOf(plan, now),
    hints: hintDocuments(plan),
    quotaHold: isQuotaHold(plan.source) && !plan.suspended,
    createdAt: instantText(createdAt),
    updatedAt: instantText(updatedAt),
    version,
  }
}

function masked(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, maskedValue]))
}

/** A pause that is over is none. */
function pauseOf({ pausedUntil, pauseReason }: Plan, now: number): PauseView {
  if (pausedUntil === null || pausedUntil <= now) return { pausedUntil: null, pauseReason: null }
  return { pausedUntil: instantText(pausedUntil), pauseReason }
}

interface PauseView {
  readonly pausedUntil: string | null
  readonly pauseReason: string | null
}
