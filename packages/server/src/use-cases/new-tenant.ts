import type { NewKeyText } from '../access/index.js'
import {
  defaultRetention,
  newId,
  type Quotas,
  type Retention,
  type Tenant,
  unlimited,
} from '../domain/index.js'
import type { TenantTransaction } from '../store/index.js'
import { type Call, inCall, type UseCasePorts } from './call.js'
import { auditChange } from './change.js'
import { type CreatedKey, createKey } from './keys.js'
import { Refusal } from './refusal.js'
import { defaultSecretName, putSecret } from './secrets.js'

export interface NewTenant {
  readonly name: string
  readonly quotas?: Quotas
  readonly retention?: Retention
  /** With this many tenants no other is created; without it there is no limit. */
  readonly maxTenants?: number
  /** Who creates it, as the audit log names the actor. */
  readonly actor?: string
  /** Its key, where somebody had to know it before. */
  readonly key?: NewKeyText
}

export interface CreatedTenant extends CreatedKey {
  readonly tenant: Tenant
  /** The value of its secret `default`. This is the only time that it is seen. */
  readonly signingSecret: string
}

/**
 * A tenant with a key that may everything and a secret that signs. A tenant that is left without
 * a key, because the second transaction never came about, is useless and does no harm.
 */
export async function createTenant(ports: UseCasePorts, wanted: NewTenant): Promise<CreatedTenant> {
  const tenant = await ports.store.system(async (rows) => {
    const made = newTenant(wanted, rows.now)
    if (wanted.maxTenants === undefined) await rows.insertTenant(made)
    else if (!(await rows.insertTenantWithin(made, wanted.maxTenants))) throw signupFull()
    return made
  })
  return furnish(ports, tenant, wanted)
}

/**
 * The same on an empty database, and where the only tenant has no key, because a process died
 * before its second transaction: nobody could ever use it. null when somebody else has made one.
 */
export async function createFirstTenant(
  ports: UseCasePorts,
  wanted: NewTenant,
): Promise<CreatedTenant | null> {
  const tenant = await ports.store.system(async (rows) => {
    const made = newTenant(wanted, rows.now)
    return (await rows.insertFirstTenant(made)) ? made : onlyTenant(await rows.tenants(2, null))
  })
  return tenant && furnishBare(ports, tenant, wanted)
}

/** A suspended one is left alone: it may be one that is being deleted, and has lost its keys. */
export function onlyTenant(tenants: readonly Tenant[]): Tenant | null {
  const [first = null, second] = tenants
  return second === undefined && first?.suspendedAt === undefined ? first : null
}

const signupFull = (): Refusal => new Refusal('signup_full', 'This server accepts no more tenants.')

function newTenant(
  { name, quotas = unlimited, retention = defaultRetention }: NewTenant,
  now: number,
): Tenant {
  return { id: newId('ten', now), name, createdAt: now, quotas, retention }
}

const askerFor = ({ id }: Tenant, { actor = 'system' }: NewTenant) => ({ tenantId: id, actor })

function furnish(ports: UseCasePorts, tenant: Tenant, wanted: NewTenant): Promise<CreatedTenant> {
  return inCall(ports, askerFor(tenant, wanted), (call) => furnishIn(call, tenant, wanted))
}

/** Of several that find the same tenant without a key, one gives it one; null for the others. */
function furnishBare(
  ports: UseCasePorts,
  tenant: Tenant,
  wanted: NewTenant,
): Promise<CreatedTenant | null> {
  return inCall(ports, askerFor(tenant, wanted), async (call) => {
    await call.rows.tenant.lock()
    return (await hasKeys(call.rows)) ? null : furnishIn(call, tenant, wanted)
  })
}

/** Revoked ones count: a tenant that had one was in use. */
export async function hasKeys(rows: TenantTransaction): Promise<boolean> {
  return (await rows.keys.list({ after: null, limit: 1 })).items.length > 0
}

async function furnishIn(
  call: Call,
  tenant: Tenant,
  { key: text }: NewTenant,
): Promise<CreatedTenant> {
  const { id, name, quotas, retention } = tenant
  const after = { name, quotas, retention }
  await auditChange(call, { action: 'tenant.create', subject: id, before: null, after })
  const secret = await putSecret(call, defaultSecretName, null, null)
  const key = { name: 'admin', scopes: ['admin'], expiresAt: null, text } as const
  const created = await createKey(call, key)
  return { tenant, ...created, signingSecret: secret.text! }
}
