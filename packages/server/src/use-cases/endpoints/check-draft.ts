import type { AddressGuard } from '../../dispatch/index.js'
import type { FieldError } from '../service-error.js'
import { checkBody } from './check-body.js'
import { checkPolicy } from './check-policy.js'
import { checkUrl } from './check-url.js'
import type { EndpointChange, EndpointDraft } from './endpoint-draft.js'

type Drafted = Omit<EndpointDraft, 'headers'>

/** All that is wrong with an endpoint as a whole; of single fields the schemas have seen to it. */
export function checkDraft(
  draft: Drafted,
  change: EndpointChange,
  guard: AddressGuard,
): readonly FieldError[] {
  return [
    ...checkBaseline(draft),
    ...checkPolicy(draft, change),
    ...checkLimits(draft),
    ...checkUrl(draft.url, guard),
    ...checkBody(draft.body, draft.method),
  ]
}

function checkBaseline({ cron, intervalMs, timezone, jitterMs }: Drafted): FieldError[] {
  const errors: FieldError[] = []
  if ((cron === null) === (intervalMs === null)) {
    const found = cron === null ? 'neither' : 'both'
    errors.push({
      field: cron === null ? 'cron' : 'intervalMs',
      code: 'baseline_not_one',
      message: `an endpoint has exactly one baseline, cron or intervalMs, got ${found}`,
    })
  }
  if (timezone !== null && cron === null) errors.push(needs('timezone', 'cron'))
  if (jitterMs !== null && intervalMs === null) errors.push(needs('jitterMs', 'intervalMs'))
  return errors
}

const needs = (field: string, other: string): FieldError => ({
  field,
  code: 'field_not_applicable',
  message: `${field} has a meaning only together with ${other}`,
})

function checkLimits(draft: Drafted): FieldError[] {
  const { minIntervalMs, maxIntervalMs, timeoutMs, maxExecutionTimeMs, retry } = draft
  const pairs: readonly [string, number | null, string, number | null][] = [
    ['minIntervalMs', minIntervalMs, 'maxIntervalMs', maxIntervalMs],
    ['timeoutMs', timeoutMs, 'maxExecutionTimeMs', maxExecutionTimeMs],
    ['retry.backoffMs', retry?.backoffMs ?? null, 'retry.maxDelayMs', retry?.maxDelayMs ?? null],
  ]
  return pairs.flatMap(([field, least, other, most]) => {
    if (least === null || most === null || least <= most) return []
    const message = `${field} (${least}) must be at most ${other} (${most})`
    return [{ field, code: 'out_of_range', message }]
  })
}
