import { KronError } from '@kron/core'
import { endpointPolicy, mayHavePolicy, scheduleOf } from '../../scheduling/index.js'
import type { FieldError } from '../service-error.js'
import type { EndpointChange, EndpointDraft } from './endpoint-draft.js'

/** A field and the schedule's own text that say different things about the policy. */
export function checkPolicy(
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
    // What is wrong with the text itself is said by who compiles it.
    if (error instanceof KronError) return []
    throw error
  }
}
