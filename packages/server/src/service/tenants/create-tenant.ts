import {
  newId,
  type Quotas,
  type Retention,
  type Tenant,
  unlimited,
  usualRetention,
} from '../../domain/index.js'
import { inCall, type ServicePorts } from '../call.js'
import { type CreatedKey, createKey } from '../keys/create-key.js'
import { usualSecretName } from '../secrets/load-secret.js'
import { putSecret } from '../secrets/put-secret.js'

export interface NewTenant {
  readonly name: string
  readonly quotas?: Quotas
  readonly retention?: Retention
}

export interface CreatedTenant extends CreatedKey {
  readonly tenant: Tenant
}

/**
 * A tenant with a key that may everything and a secret that signs. A tenant that is left without
 * a key, because the second transaction never came about, is of no use to anybody and does no harm.
 */
export async function createTenant(
  ports: ServicePorts,
  { name, quotas = unlimited, retention = usualRetention }: NewTenant,
): Promise<CreatedTenant> {
  const tenant = await ports.store.system(async (rows) => {
    const made = { id: newId('ten', rows.now), name, createdAt: rows.now, quotas, retention }
    await rows.insertTenant(made)
    return made
  })
  return inCall(ports, { tenantId: tenant.id, actor: 'system' }, async (call) => {
    await putSecret(call, usualSecretName, null, null)
    const created = await createKey(call, { name: 'admin', scopes: ['admin'], expiresAt: null })
    return { tenant, ...created }
  })
}
