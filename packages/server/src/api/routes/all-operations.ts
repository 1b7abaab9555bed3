import type { Operation } from '../operation.js'
import { endpointOperations } from './endpoints.js'
import { eventOperations } from './events.js'
import { insightOperations } from './insight.js'
import { jobOperations } from './jobs.js'
import { keyOperations } from './keys.js'
import { plannerOperations } from './planner-sessions.js'
import { runOperations } from './runs.js'
import { secretOperations } from './secrets.js'
import { sessionOperations } from './session.js'
import { tenantOperations } from './tenant.js'

/** Everything that the API can do. */
export function allOperations(): readonly Operation[] {
  return [
    ...tenantOperations,
    ...sessionOperations,
    ...jobOperations,
    ...endpointOperations,
    ...insightOperations,
    ...runOperations,
    ...plannerOperations,
    ...keyOperations,
    ...secretOperations,
    ...eventOperations(),
  ]
}
