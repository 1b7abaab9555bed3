import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { everyItem } from '../every-item.js'
import { ServiceError } from '../service-error.js'
import { checkVersion, type VersionCondition } from '../version-condition.js'
import { defaultSecretName, loadSecret } from './load-secret.js'

export async function deleteSecret(
  call: Call,
  name: string,
  condition: VersionCondition,
): Promise<void> {
  const { id, version } = await loadSecret(call, name)
  checkVersion(condition, version)
  await checkUnused(call, name)
  await call.rows.secrets.delete(name)
  const before = { name, version }
  await auditChange(call, { action: 'secret.delete', subject: id, before, after: null })
}

/** An endpoint whose secret is gone would send requests that its receiver refuses. */
async function checkUnused({ rows }: Call, name: string): Promise<void> {
  if (name === defaultSecretName) throw inUse('endpoints that name no secret of their own')
  for await (const { endpoint } of everyItem((page) => rows.endpoints.list(page))) {
    if (endpoint.definition.secret === name) throw inUse(`endpoint ${endpoint.id}`)
  }
}

const inUse = (whom: string): ServiceError =>
  new ServiceError('secret_in_use', `The secret signs for ${whom}.`)
