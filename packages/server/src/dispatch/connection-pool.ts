import { Connection, longestIdleMs } from './connection.js'
import type { ConnectorOptions } from './connector.js'
import type { Target } from './target.js'
import { type Waiter, WaitList } from './wait-list.js'

export interface PoolOptions {
  readonly connector: ConnectorOptions
  readonly maxConnections: number
  readonly maxConnectionsPerOrigin: number
  readonly now: () => number
}

/** Whoever needs a connection, in line until `begin` is called. */
export interface ConnectionWaiter extends Waiter {
  begin(connection: Connection): void
}

interface Origin {
  readonly target: Target
  readonly waiters: WaitList<ConnectionWaiter>
  /** Unused connections, the one used last at the end. */
  readonly idle: Connection[]
  /** Connections that are open or being opened, used or not. */
  open: number
}

/** A name may come to point elsewhere; a connection must not outlive that for long. */
const longestAgeMs = 60_000

/**
 * Connections by origin, bounded for each and in all. An origin is known only while it has a
 * connection or someone in line, so memory does not grow with the hosts ever called.
 *
 * Each origin has its own line. An origin whose line could use one more connection while there is
 * none to be had is *starving*; those take turns, and an origin with clearly more connections than
 * the one whose turn it is gives one up when an exchange ends.
 */
export class ConnectionPool {
  readonly #options: PoolOptions
  readonly #origins = new Map<string, Origin>()
  readonly #starving = new Set<Origin>()
  /** All unused connections, longest unused first. */
  readonly #idle = new Set<Connection>()
  readonly #connections = new Set<Connection>()
  #open = 0
  #waiting = 0
  #isClosing = false
  #closed: (() => void) | null = null

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** How many origins are known and connections open, for metrics and tests. */
  get size(): { readonly origins: number; readonly connections: number } {
    return { origins: this.#origins.size, connections: this.#open }
  }

  /** How many are in line. */
  get waiting(): number {
    return this.#waiting
  }

  acquire(target: Target, waiter: ConnectionWaiter): void {
    const origin = this.#originOf(target)
    const unused = this.#takeUnused(origin)
    if (unused !== null) {
      waiter.begin(unused)
      return
    }
    origin.waiters.push(waiter)
    this.#waiting++
    this.#noteStarving(origin)
    this.#serveStarving()
  }

  /** Leaves the line. */
  withdraw(target: Target, waiter: ConnectionWaiter): void {
    const origin = this.#origins.get(target.origin)
    if (origin === undefined) return
    if (origin.waiters.remove(waiter)) this.#waiting--
    this.#forgetUnused(origin)
  }

  /** Gives a connection back that can take another exchange. */
  release(connection: Connection): void {
    const origin = this.#origins.get(connection.target.origin)!
    if (this.#isClosing || this.#isOld(connection) || this.#mustYield(origin)) {
      this.discard(connection)
      return
    }
    const next = origin.waiters.shift()
    if (next !== null) {
      this.#waiting--
      next.begin(connection)
      return
    }
    connection.idleSince = this.#options.now()
    origin.idle.push(connection)
    this.#idle.add(connection)
    // An unused connection is room for those that starve.
    this.#serveStarving()
  }

  /** Closes a connection, whatever it is doing. */
  discard(connection: Connection): void {
    const origin = this.#origins.get(connection.target.origin)!
    this.#drop(origin, connection)
    this.#noteStarving(origin)
    this.#serveStarving()
    this.#forgetUnused(origin)
  }

  /** Closes the unused; resolves when those in use, which must end soon, are closed as well. */
  close(): Promise<void> {
    this.#isClosing = true
    for (const connection of [...this.#idle]) this.discard(connection)
    return new Promise((resolve) => {
      if (this.#connections.size === 0) resolve()
      else this.#closed = resolve
    })
  }

  #originOf(target: Target): Origin {
    const known = this.#origins.get(target.origin)
    if (known !== undefined) return known
    const origin: Origin = { target, waiters: new WaitList(), idle: [], open: 0 }
    this.#origins.set(target.origin, origin)
    return origin
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

  #openFor(origin: Origin): Connection {
    const { connector, now } = this.#options
    const connection = new Connection(origin.target, connector, now, this.#closedByServer)
    this.#connections.add(connection)
    origin.open++
    this.#open++
    return connection
  }

  /** Makes room if need be, by closing what has been unused for longest. */
  #hasRoom(): boolean {
    if (this.#isClosing) return false
    if (this.#open < this.#options.maxConnections) return true
    const [unused] = this.#idle
    if (unused === undefined) return false
    const owner = this.#origins.get(unused.target.origin)!
    this.#drop(owner, unused)
    this.#forgetUnused(owner)
    return true
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

  readonly #closedByServer = (connection: Connection): void => {
    if (this.#idle.has(connection)) this.discard(connection)
  }

  #couldUseMore(origin: Origin): boolean {
    return !origin.waiters.isEmpty && origin.open < this.#options.maxConnectionsPerOrigin
  }

  #noteStarving(origin: Origin): void {
    if (this.#couldUseMore(origin)) this.#starving.add(origin)
  }

  #serveStarving(): void {
    // Whoever is put back at the end of the set is visited again by this same loop.
    for (const origin of this.#starving) {
      if (this.#couldUseMore(origin)) {
        if (!this.#hasRoom()) return
        this.#starving.delete(origin)
        this.#waiting--
        origin.waiters.shift()!.begin(this.#openFor(origin))
        this.#noteStarving(origin)
      } else {
        this.#starving.delete(origin)
      }
    }
  }

  /** Whether a connection is better used by the origin whose turn it is. */
  #mustYield(origin: Origin): boolean {
    if (this.#starving.size === 0) return false
    const [next] = this.#starving
    if (next!.waiters.isEmpty || next === origin) {
      this.#starving.delete(next!)
      this.#noteStarving(next!)
      return false
    }
    if (next!.open === 0 || next!.open + 1 < origin.open) return true
    // Its turn passes, or one that has enough would stand in the way of those that have none.
    this.#starving.delete(next!)
    this.#starving.add(next!)
    return false
  }

  #isOld({ openedAt }: Connection): boolean {
    const ageMs = this.#options.now() - openedAt
    return ageMs < 0 || ageMs > longestAgeMs
  }

  #forgetUnused(origin: Origin): void {
    if (origin.open > 0 || !origin.waiters.isEmpty) return
    this.#origins.delete(origin.target.origin)
    this.#starving.delete(origin)
  }
}
