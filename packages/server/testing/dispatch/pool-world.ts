import type { Connection } from '../../src/dispatch/connection.js'
import { ConnectionPool } from '../../src/dispatch/connection-pool.js'
import type { TenantShare } from '../../src/dispatch/fair-line.js'
import { createAddressGuard } from '../../src/dispatch/guard/index.js'
import type { ConnectionWaiter } from '../../src/dispatch/origin.js'
import type { Target } from '../../src/dispatch/target.js'
import type { Waiter } from '../../src/dispatch/wait-list.js'

export interface PoolLimits {
  readonly maxConnections: number
  readonly maxConnectionsPerOrigin: number
}

export const targetOf = (origin: number): Target => ({
  origin: `http://127.0.0.1:${origin + 1}`,
  secure: false,
  hostname: '127.0.0.1',
  port: origin + 1,
  path: '/',
})

type Begun = (exchange: SilentExchange) => void

/** An exchange that sends nothing: it has a connection until it is told to end. */
export class SilentExchange implements ConnectionWaiter {
  ahead: Waiter | null = null
  behind: Waiter | null = null
  share: TenantShare | null = null
  connection: Connection | null = null
  readonly number: number
  readonly tenantId: string
  readonly target: Target
  readonly #begun: Begun

  constructor(number: number, tenant: number, origin: number, begun: Begun) {
    this.number = number
    this.tenantId = `tenant ${tenant}`
    this.target = targetOf(origin)
    this.#begun = begun
  }

  begin(connection: Connection): void {
    this.connection = connection
    this.#begun(this)
  }
}

/** A pool in virtual time, with those who wait and are served, in order. */
export class PoolWorld {
  readonly pool: ConnectionPool
  readonly waiting = new Set<SilentExchange>()
  readonly busy = new Set<SilentExchange>()
  started = 0
  now = 1
  readonly #begun: Begun

  constructor(limits: PoolLimits, begun: Begun = () => {}) {
    this.#begun = begun
    this.pool = new ConnectionPool({
      ...limits,
      connector: {
        guard: createAddressGuard({}),
        resolve: async () => [],
        connectTimeoutMs: 10_000,
        certificateAuthorities: null,
      },
      now: () => this.now,
    })
  }

  start(tenant: number, origin: number): SilentExchange {
    const exchange = new SilentExchange(this.started++, tenant, origin, (begun) => {
      this.waiting.delete(begun)
      this.busy.add(begun)
      this.#begun(begun)
    })
    this.waiting.add(exchange)
    this.pool.acquire(exchange.target, exchange)
    return exchange
  }

  end(exchange: SilentExchange, reusable = true): void {
    this.busy.delete(exchange)
    if (reusable) this.pool.release(exchange.connection!, exchange)
    else this.pool.discard(exchange.connection!, exchange)
  }

  leave(exchange: SilentExchange): void {
    this.waiting.delete(exchange)
    this.pool.withdraw(exchange.target, exchange)
  }

  busyFor(tenantId: string): number {
    return count(this.busy, (each) => each.tenantId === tenantId)
  }

  busyAt({ origin }: Target): number {
    return count(this.busy, ({ target }) => target.origin === origin)
  }
}

function count<Each>(all: Iterable<Each>, matches: (each: Each) => boolean): number {
  let matching = 0
  for (const each of all) if (matches(each)) matching++
  return matching
}
