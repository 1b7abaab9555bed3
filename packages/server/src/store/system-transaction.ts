import type { ApiKey, Plan, SystemQuotas, SystemUsage, Tenant } from '../domain/index.js'

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

export interface Restored {
  readonly endpoints: number
  readonly runs: number
}

/** A key that has sealed something here, and a text that only it opens. */
export interface SealingKeyTrace {
  readonly id: string
  readonly sealed: string
}

/** Something that is stored sealed and still in use. */
export interface SealedSample {
  readonly sealed: string
  readonly purpose: 'secret' | 'header'
  readonly tenantId: string
}

/** A session of a browser, by which it can be ended. */
export interface SessionKey {
  readonly tenantId: string
  readonly id: string
}

/** How much one look for runs beyond the number that is kept may do. */
export interface ExcessBounds {
  readonly endpoints: number
  readonly runs: number
}

export interface ExcessPruned {
  readonly runs: number
  /** Endpoints that are done with. */
  readonly endpoints: number
  /** The last endpoint of the tenant was reached; the next look begins with the first again. */
  readonly isPassEnd: boolean
}

/** What no tenant may do for itself: tenants, keys of unknown tenants, attention, retention. */
export interface SystemTransaction {
  readonly now: number
  insertTenant(tenant: Tenant): Promise<void>
  /** False, and nothing is created, when there are as many tenants already. */
  insertTenantWithin(tenant: Tenant, maxTenants: number): Promise<boolean>
  /** False, and nothing is created, when there is a tenant already. */
  insertFirstTenant(tenant: Tenant): Promise<boolean>
  tenant(id: string): Promise<Tenant | null>
  tenants(limit: number, after: string | null): Promise<readonly Tenant[]>
  /**
   * Removes up to so many rows of a tenant, endpoints with their plans first; 0 when none are left
   * but the entry of its deletion in the audit log.
   */
  deleteRowsOf(tenantId: string, limit: number): Promise<number>
  /** The tenant itself, when it has nothing any more. */
  deleteTenant(tenantId: string): Promise<void>
  /** The key with this hash, of any tenant, revoked and expired ones included. */
  keyByHash(hash: string): Promise<ApiKey | null>
  /** Those of these keys that may be used now: not revoked or expired, of a tenant that is active. */
  usableKeys(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The ids of those of these sessions that were ended. */
  loggedOut(sessions: readonly SessionKey[]): Promise<ReadonlySet<string>>
  touchKeys(used: readonly { readonly id: string; readonly at: number }[]): Promise<void>
  /**
   * After a restore from a backup: ends every run that the backup has as pending or running, and
   * changes every plan. All of it or nothing happens.
   */
  restore(change: (plan: Plan) => Plan): Promise<Restored>
  readonly quotas: SystemQuotas
  usage(): Promise<SystemUsage>
  /** Endpoints that wait for the end of the system's quota are planned again at once. */
  endSystemHolds(): Promise<number>
  /** Writes something. Rejects where nothing can be written. */
  probeWrite(): Promise<void>
  sealingKeys(): Promise<readonly SealingKeyTrace[]>
  /** The same, locked until the transaction ends: for who adds one if it is not there. */
  lockSealingKeys(): Promise<readonly SealingKeyTrace[]>
  addSealingKey(id: string, sealed: string): Promise<void>
  removeSealingKey(id: string): Promise<void>
  /** Of this key, or of any; null when nothing in use is sealed with it. */
  sealedSample(keyId: string | null): Promise<SealedSample | null>
  /** Takes endpoints that ask for attention off the list. */
  takeAttention(limit: number): Promise<readonly Attention[]>
  /** Removes a bounded batch of what a tenant has kept for long enough. */
  prune(tenant: Tenant, limit: number): Promise<Pruned>
  /**
   * Removes runs beyond the number that is kept, of the endpoints that come next by their ids.
   * Where it got to is stored with what it did: the next look goes on there, in any process.
   */
  pruneExcess(tenant: Tenant, most: ExcessBounds): Promise<ExcessPruned>
  /** Removes a bounded batch of old claims, remembered answers and log-outs. */
  pruneTraces(before: number, limit: number): Promise<number>
}
