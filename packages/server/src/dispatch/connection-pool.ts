import { Connection, longestIdleMs } from './connection.js'
import type { ConnectorOptions } from './connector.js'
import { maxForOneTenant, TenantShare } from './fair-line.js'
import type { ConnectionWaiter } from './origin.js'
import { Origin } from './origin.js'
import { Starving } from './starving.js'
import { SweptMap } from './swept-map.js'
import type { Target } from './target.js'

export interface PoolOptions {
  readonly connector: ConnectorOptions
  readonly maxConnections: number
  readonly maxConnectionsPerOrigin: number
  readonly now: () => number
}

export interface PoolSize {
  readonly origins: number
  readonly tenants: number
  readonly connections: number
}

/** A name may come to point elsewhere; a connection must not outlive that for long. */
const longestAgeMs = 60_000

/**
 * Connections by origin, bounded for each and in all; those in use are bounded for each tenant as
 * well. An origin is known only while it has a connection or someone in line, and tenants that have
 * neither are swept, so memory does not grow with the hosts and tenants ever seen.
 *
 * Each origin has its own line, in which tenants take turns. An origin whose line could use one
 * more connection while there is none to be had is *starving*; those take turns, and an origin
 * with clearly more connections than the one whose turn it is gives one up when an exchange ends.
 */
export class ConnectionPool {
  readonly #options: PoolOptions
  readonly #origins = new Map<string, Origin>()
  readonly #shares = new SweptMap<string, TenantShare>()
  readonly #starving = new Starving()
  /** All unused connections, longest unused first. */
  readonly #idle = new Set<Connection>()
  readonly #connections = new Set<Connection>()
  readonly #maxForOneTenant: number
  #open = 0
  #waiting = 0
  #isClosing = false
  #closed: (() => void) | null = null

  constructor(options: PoolOptions) {
    this.#options = options
    this.#maxForOneTenant = maxForOneTenant(options.maxConnections)
  }

  /** How many origins and tenants are known and connections open, for metrics and tests. */
  get size(): PoolSize {
    return {
      origins: this.#origins.size,
      tenants: this.#shares.size,
      connections: this.#open,
    }
  }

  /** How many are in line. */
  get waiting(): number {
    return this.#waiting
  }

  acquire(target: Target, waiter: ConnectionWaiter): void {
    const origin = this.#originOf(target)
    const share = this.#shareOf(waiter.tenantId)
    waiter.share = share
    const unused = share.isUsedUp ? null : this.#takeUnused(origin)
    if (unused !== null) {
      share.busy++
      waiter.begin(unused)
      return
    }
    origin.line.push(share, waiter)
    share.waiting++
    this.#waiting++
    this.#starving.note(origin)
    this.#serveStarving()
  }

  /** Leaves the line. */
  withdraw(target: Target, waiter: ConnectionWaiter): void {
    const origin = this.#origins.get(target.origin)
    const { share } = waiter
    if (origin === undefined || share === null) return
    if (origin.line.remove(share, waiter)) {
      waiter.share = null
      this.#noteLeft(origin, share)
    }
    this.#forgetUnused(origin)
  }

  /** Gives a connection back that can take another exchange. */
  release(connection: Connection, waiter: ConnectionWaiter): void {
    const origin = this.#origins.get(connection.target.origin)!
    this.#end(waiter)
    // Those whom the tenant's share held up elsewhere go first, or it would all stay here.
    this.#serveStarving()
    if (this.#isClosing || this.#isOld(connection) || this.#mustYield(origin)) {
      this.#close(origin, connection)
      return
    }
    const next = this.#nextOf(origin)
    if (next !== null) {
      next.begin(connection)
      return
    }
    connection.idleSince = this.#options.now()
    origin.idle.push(connection)
    this.#idle.add(connection)
    // An unused connection is room for those that starve.
    this.#starving.note(origin)
    this.#serveStarving()
  }

  /** Closes a connection, whatever its exchange is doing. */
  discard(connection: Connection, waiter: ConnectionWaiter): void {
    this.#end(waiter)
    this.#close(this.#origins.get(connection.target.origin)!, connection)
  }

  /** Closes the unused; resolves when those in use, which must end soon, are closed as well. */
  close(): Promise<void> {
    this.#isClosing = true
    for (const connection of [...this.#idle]) this.#closeUnused(connection)
    return new Promise((resolve) => {
      if (this.#connections.size === 0) resolve()
      else this.#closed = resolve
    })
  }

  #originOf(target: Target): Origin {
    const known = this.#origins.get(target.origin)
    if (known !== undefined) return known
    const origin = new Origin(target, this.#options.maxConnectionsPerOrigin)
    this.#origins.set(target.origin, origin)
    return origin
  }

  #shareOf(tenantId: string): TenantShare {
    const known = this.#shares.get(tenantId)
    if (known !== undefined) return known
    const share = new TenantShare(this.#maxForOneTenant)
    this.#shares.set(tenantId, share)
    return share
  }

  #takeUnused(origin: Origin): Connection | null {
    for (;;) {
      const connection = origin.idle.pop()
      if (connection === undefined) return null
      this.#idle.delete(connection)
      const idleMs = this.#options.now() - connection.idleSince!
      connection.idleSince = null
      if (idleMs >= 0 && idleMs <= longestIdleMs && !this.#isOld(connection)) return connection
      this.#drop(origin, connection)
    }
  }

  get #hasRoom(): boolean {
    if (this.#isClosing) return false
    return this.#open < this.#options.maxConnections || this.#idle.size > 0
  }

  /** Makes room if need be, by closing what has been unused for longest. */
  #openFor(origin: Origin): Connection {
    const { connector, maxConnections, now } = this.#options
    if (this.#open >= maxConnections) {
      const [unused] = this.#idle
      const owner = this.#origins.get(unused!.target.origin)!
      this.#drop(owner, unused!)
      this.#forgetUnused(owner)
    }
    const connection = new Connection(origin.target, connector, now, this.#closeUnused)
    this.#connections.add(connection)
    origin.open++
    this.#open++
    return connection
  }

  #drop(origin: Origin, connection: Connection): void {
    if (this.#idle.delete(connection)) origin.idle.splice(origin.idle.indexOf(connection), 1)
    origin.open--
    this.#open--
    connection.destroy(() => {
      this.#connections.delete(connection)
      if (this.#connections.size === 0) this.#closed?.()
    })
  }

  #close(origin: Origin, connection: Connection): void {
    this.#drop(origin, connection)
    this.#starving.note(origin)
    this.#serveStarving()
    this.#forgetUnused(origin)
  }

  readonly #closeUnused = (connection: Connection): void => {
    if (this.#idle.has(connection))
      this.#close(this.#origins.get(connection.target.origin)!, connection)
  }

  #end(waiter: ConnectionWaiter): void {
    const share = waiter.share!
    waiter.share = null
    share.busy--
    this.#starving.noteEnd(share)
  }

  #nextOf(origin: Origin): ConnectionWaiter | null {
    const waiter = origin.line.shift()
    if (waiter === null) return null
    waiter.share!.busy++
    this.#noteLeft(origin, waiter.share!)
    return waiter
  }

  #noteLeft(origin: Origin, share: TenantShare): void {
    share.waiting--
    this.#waiting--
    this.#starving.noteLeft(origin, share)
  }

  #serveStarving(): void {
    while (this.#hasRoom) {
      const origin = this.#starving.next()
      if (origin === null) return
      this.#starving.delete(origin)
      const waiter = this.#nextOf(origin)!
      const connection = this.#takeUnused(origin) ?? this.#openFor(origin)
      this.#starving.note(origin)
      waiter.begin(connection)
    }
  }

  /** Whether a connection is better used by the origin whose turn it is. */
  #mustYield(origin: Origin): boolean {
    const next = this.#starving.next()
    if (next === null) return false
    if (next !== origin && (next.open === 0 || next.open + 1 < origin.open)) return true
    // Its turn passes, or one that has enough would stand in the way of those that have none.
    this.#starving.pass(next)
    return false
  }

  #isOld({ openedAt }: Connection): boolean {
    const ageMs = this.#options.now() - openedAt
    return ageMs < 0 || ageMs > longestAgeMs
  }

  #forgetUnused(origin: Origin): void {
    if (!origin.isForgettable) return
    this.#origins.delete(origin.target.origin)
    this.#starving.delete(origin)
    if (this.#origins.size === 0) this.#shares.clear()
  }
}
