import { KronError } from '@kron/core'
import type { AddressGuard } from '../../dispatch/index.js'
import type { Drafted, EndpointChange, EndpointDraft } from '../../domain/index.js'
import { endpointPolicy, mayHavePolicy, scheduleOf } from '../../scheduling/index.js'
import type { Call } from '../call.js'
import { type FieldError, invalidField, Refusal } from '../refusal.js'
import { checkBody, checkUrl } from './request-checks.js'

/** All that is wrong with an endpoint as a whole; the schemas have checked each field. */
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
  message: `${field} can only be given together with ${other}`,
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

/** A field and the schedule's own text that say different things about the policy. */
function checkPolicy(
  draft: Pick<EndpointDraft, 'cron' | 'timezone' | 'concurrency' | 'deadlineMs'>,
  { concurrency, deadlineMs }: EndpointChange,
): readonly FieldError[] {
  const { cron, timezone } = draft
  if (!mayHavePolicy(cron)) return []
  try {
    const baseline = { cron, timezone, intervalMs: null, jitterMs: null }
    const said = { ...(concurrency && { concurrency }), ...(deadlineMs != null && { deadlineMs }) }
    const { conflicts } = endpointPolicy(draft, scheduleOf({ baseline }), cron, said)
    return conflicts.map((conflict) => ({ ...conflict, code: 'policy_conflict' }))
  } catch (error) {
    // What is wrong with the text itself is found when it is compiled.
    if (error instanceof KronError) return []
    throw error
  }
}

/** Locks the secret: its deletion then finds this endpoint among those that name it. */
export async function checkSecret({ rows }: Call, name: string | null): Promise<void> {
  if (name === null || (await rows.secrets.get(name)) !== null) return
  throw invalidField('secret', 'secret_unknown', `there is no secret ${JSON.stringify(name)}`)
}

/**
 * To be called after the endpoint was counted: the count is then locked, and of two that come at
 * once the second sees the first.
 */
export async function checkEndpointQuota({ rows }: Call): Promise<void> {
  const { quotas } = await rows.tenant.get()
  if (quotas.endpoints === null) return
  const { endpoints } = await rows.tenant.usage()
  if (endpoints <= quotas.endpoints) return
  const message = `The quota of ${quotas.endpoints} endpoints is used up.`
  throw new Refusal('quota_exceeded', message)
}

export function endpointNameTaken(name: string): Refusal {
  const message = `Another endpoint of the job has the name ${JSON.stringify(name)}.`
  return new Refusal('name_taken', message, [{ field: 'name', code: 'name_taken', message }])
}

/** The shortest interval that the tenant's endpoints may have; null where there is none. */
export async function intervalFloor({ rows }: Call): Promise<number | null> {
  return (await rows.tenant.get()).quotas.minIntervalMs
}

/** What says that it wants to run more often than it may is refused, never changed silently. */
export function checkFloor(draft: Drafted, floorMs: number | null): readonly FieldError[] {
  if (floorMs === null) return []
  return (['intervalMs', 'minIntervalMs', 'maxIntervalMs'] as const).flatMap((field) => {
    const value = draft[field]
    if (value === null || value >= floorMs) return []
    const message = `${field} (${value}) must be at least ${floorMs}, the tenant's shortest interval`
    return [{ field, code: 'interval_below_floor', message }]
  })
}

/**
 * What can't be read off the fields, such as a cron of every second, a hint or a response that
 * steers, is held back by the endpoint's own minimum, which is therefore never below the floor.
 */
export function raisedToFloor(draft: Drafted, floorMs: number | null): Drafted {
  return floorMs === null || draft.minIntervalMs !== null
    ? draft
    : { ...draft, minIntervalMs: floorMs }
}
