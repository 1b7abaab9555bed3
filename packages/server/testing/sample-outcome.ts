import type { Outcome } from '../src/scheduling/index.js'
import type { ClaimedRun } from '../src/store/index.js'

type Delivery = Pick<
  ClaimedRun,
  'endpointId' | 'tenantId' | 'scheduledFor' | 'fence' | 'overlapping'
>

/** How a run ended that succeeded in no time, but for `change`. */
export function sampleOutcome(
  { endpointId, tenantId, scheduledFor, fence, overlapping }: Delivery,
  at: number,
  change: Partial<Outcome> = {},
): Outcome {
  return {
    endpointId,
    tenantId,
    scheduledFor,
    fence,
    overlapping,
    status: 'success',
    reason: null,
    startedAt: at,
    endedAt: at,
    attempts: 1,
    error: null,
    response: null,
    ...change,
  }
}

export const emptyResponse: Outcome['response'] = {
  httpStatus: 200,
  headers: {},
  truncated: false,
  body: new Uint8Array(),
}
