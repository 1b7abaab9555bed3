import { CommandFailure, exitCodes } from '@kron/command'
import { isId, type Tenant } from '../../domain/index.js'
import type { Store } from '../../store/index.js'
import { ambiguous, unknown } from '../selection.js'

const pageSize = 1_000

/** In the order in which they were made. */
export async function allTenants(store: Store): Promise<readonly Tenant[]> {
  const tenants: Tenant[] = []
  for (;;) {
    const after = tenants.at(-1)?.id ?? null
    const page = await store.system((rows) => rows.tenants(pageSize, after))
    tenants.push(...page)
    if (page.length < pageSize) return tenants
  }
}

/** By its id, or by a name that only one has. */
export async function findTenant(store: Store, text: string): Promise<Tenant> {
  if (isId('ten', text)) {
    const tenant = await store.system((rows) => rows.tenant(text))
    if (tenant !== null) return tenant
    throw new CommandFailure(exitCodes.input, `no tenant has the id ${text}`)
  }
  const tenants = await allTenants(store)
  const found = tenants.filter(({ name }) => name === text)
  if (found.length === 1) return found[0]!
  throw found.length > 1 ? ambiguous('tenant', text, found) : unknown('tenant', text, tenants)
}
