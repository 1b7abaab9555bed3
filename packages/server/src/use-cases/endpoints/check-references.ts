import type { Call } from '../call.js'
import { invalidField, ServiceError } from '../service-error.js'

/** Locks the secret: whoever deletes it looks for endpoints that name it after this one is there. */
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
  throw new ServiceError('quota_exceeded', message)
}

export function endpointNameTaken(name: string): ServiceError {
  const message = `Another endpoint of the job has the name ${JSON.stringify(name)}.`
  return new ServiceError('name_taken', message, [{ field: 'name', code: 'name_taken', message }])
}
