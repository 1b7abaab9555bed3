import {
  newId,
  type Quotas,
  type Retention,
  type Tenant,
  unlimited,
  usualRetention,
} from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import { inCall, type ServicePorts } from '../call.js'
import { type CreatedKey, createKey } from '../keys/create-key.js'
import { usualSecretName } from '../secrets/load-secret.js'
import { putSecret } from '../secrets/put-secret.js'
import { ServiceError } from '../service-error.js'

export interface NewTenant {
  readonly name: string
  readonly quotas?: Quotas
  readonly retention?: Retention
  /** With this many tenants none is made; without it there is no limit. */
  readonly maxTenants?: number
  /** Who makes it, as the audit log names him. */
  readonly actor?: string
}

export interface CreatedTenant extends CreatedKey {
  readonly tenant: Tenant
  /** The value of its secret `default`. This is the only time that it is seen. */
  readonly signingSecret: string
}

/**
 * A tenant with a key that may everything and a secret that signs. A tenant that is left without
 * a key, because the second transaction never came about, is of no use to anybody and does no harm.
 */
export async function createTenant(ports: ServicePorts, wanted: NewTenant): Promise<CreatedTenant> {
  const tenant = await ports.store.system(async (rows) => {
    const made = newTenant(wanted, rows.now)
    if (wanted.maxTenants === undefined) await rows.insertTenant(made)
    else if (!(await rows.insertTenantWithin(made, wanted.maxTenants))) throw signupFull()
    return made
  })
  return furnish(ports, tenant, wanted)
}

/** The same on an empty database; null when somebody else has made one. */
export async function createFirstTenant(
  ports: ServicePorts,
  wanted: NewTenant,
): Promise<CreatedTenant | null> {
  const tenant = await ports.store.system(async (rows) => {
    const made = newTenant(wanted, rows.now)
    return (await rows.insertFirstTenant(made)) ? made : null
  })
  return tenant && furnish(ports, tenant, wanted)
}

const signupFull = (): ServiceError =>
  new ServiceError('signup_full', 'This server takes no more tenants.')

function newTenant(
  { name, quotas = unlimited, retention = usualRetention }: NewTenant,
  now: number,
): Tenant {
  return { id: newId('ten', now), name, createdAt: now, quotas, retention }
}

function furnish(
  ports: ServicePorts,
  tenant: Tenant,
  { actor = 'system' }: NewTenant,
): Promise<CreatedTenant> {
  const { id, name, quotas, retention } = tenant
  return inCall(ports, { tenantId: id, actor }, async (call) => {
    const after = { name, quotas, retention }
    await auditChange(call, { action: 'tenant.create', subject: id, before: null, after })
    const secret = await putSecret(call, usualSecretName, null, null)
    const created = await createKey(call, { name: 'admin', scopes: ['admin'], expiresAt: null })
    return { tenant, ...created, signingSecret: secret.text! }
  })
}
