import type { Connection } from './connection.js'
import type { TenantShare } from './tenant-share.js'
import type { Waiter } from './wait-list.js'

/** Whoever needs a connection, in line until `begin` is called. */
export interface ConnectionWaiter extends Waiter {
  readonly tenantId: string
  /** Kept by the pool, from the line to the end of the exchange. */
  share: TenantShare | null
  begin(connection: Connection): void
}
