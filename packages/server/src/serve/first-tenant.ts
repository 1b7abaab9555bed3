import { type CreatedTenant, createFirstTenant, type ServicePorts } from '../service/index.js'

/** On an empty database: a tenant to begin with, and its key, which is shown this once. */
export async function firstTenant(ports: ServicePorts): Promise<CreatedTenant | null> {
  // A look without a lock first: most processes find tenants.
  const tenants = await ports.store.system((rows) => rows.tenants(1, null))
  return tenants.length > 0 ? null : createFirstTenant(ports, { name: 'default' })
}
