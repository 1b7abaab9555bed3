import type { ApiKey, Tenant } from '../domain/index.js'

/** An endpoint that a planner should look at. */
export interface Attention {
  readonly tenantId: string
  readonly endpointId: string
  readonly why: string
}

export interface Pruned {
  readonly runs: number
  readonly bodies: number
  readonly others: number
}

/** What no tenant may do for itself: tenants, keys of unknown tenants, attention, retention. */
export interface SystemTransaction {
  readonly now: number
  insertTenant(tenant: Tenant): Promise<void>
  /** False, and nothing is made, when there is a tenant already. */
  insertFirstTenant(tenant: Tenant): Promise<boolean>
  tenant(id: string): Promise<Tenant | null>
  tenants(limit: number, after: string | null): Promise<readonly Tenant[]>
  /** The key with this hash, whoever's it is, revoked and expired ones included. */
  keyByHash(hash: string): Promise<ApiKey | null>
  touchKeys(used: readonly { readonly id: string; readonly at: number }[]): Promise<void>
  /** Takes endpoints that ask for attention off the list. */
  takeAttention(limit: number): Promise<readonly Attention[]>
  /** Removes a bounded batch of what a tenant no longer keeps. */
  prune(tenant: Tenant, limit: number): Promise<Pruned>
  /** Removes a bounded batch of old claims and remembered answers. */
  pruneTraces(before: number, limit: number): Promise<number>
}
