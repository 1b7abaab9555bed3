import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { cancelOpenRuns } from '../runs/cancel-open-runs.js'
import { checkVersion, type VersionCondition } from '../version-condition.js'
import { auditedEndpoint } from './audited-endpoint.js'
import { loadEndpoint } from './load-endpoint.js'

export async function deleteEndpoint(
  call: Call,
  id: string,
  condition: VersionCondition,
): Promise<void> {
  const { endpoint } = await loadEndpoint(call, id)
  checkVersion(condition, endpoint.version)
  await cancelOpenRuns(call, { endpointId: id }, 'deleted')
  await call.rows.endpoints.delete(id)
  const before = auditedEndpoint(endpoint)
  await auditChange(call, { action: 'endpoint.delete', subject: id, before, after: null })
  call.announce('endpoint.changed', id, 'deleted')
}
