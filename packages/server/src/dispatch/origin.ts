import type { Connection } from './connection.js'
import type { TenantShare } from './fair-line.js'
import { FairLine } from './fair-line.js'
import type { Target } from './target.js'
import type { Waiter } from './wait-list.js'

/** Where connections go to, with those that there are and those who wait for one. */
export class Origin {
  readonly target: Target
  readonly line = new FairLine<ConnectionWaiter>()
  /** Unused connections, the one used last at the end. */
  readonly idle: Connection[] = []
  /** Connections that are open or being opened, used or not. */
  open = 0
  readonly #most: number

  constructor(target: Target, most: number) {
    this.target = target
    this.#most = most
  }

  /** Whether one more exchange may have a connection here, an unused or a new one. */
  get hasPlace(): boolean {
    return this.idle.length > 0 || this.open < this.#most
  }

  get isForgettable(): boolean {
    return this.open === 0 && this.line.isEmpty
  }
}

/** A request that needs a connection, in line until `begin` is called. */
export interface ConnectionWaiter extends Waiter {
  readonly tenantId: string
  /** Kept by the pool, from the line to the end of the exchange. */
  share: TenantShare | null
  begin(connection: Connection): void
}
