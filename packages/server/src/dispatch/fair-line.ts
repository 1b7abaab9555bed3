import { type Sweepable, SweptMap } from './swept-map.js'
import { type Waiter, WaitList } from './wait-list.js'

/** Those of one tenant, first come first served. It stands in line itself, with other tenants. */
class TenantLine<W extends Waiter> extends WaitList<W> implements Waiter, Sweepable {
  ahead: Waiter | null = null
  behind: Waiter | null = null
  readonly share: TenantShare

  constructor(share: TenantShare) {
    super()
    this.share = share
  }

  get isForgettable(): boolean {
    return this.isEmpty
  }
}

/**
 * A line in which tenants take turns, however many each has in it. One that has used up its share
 * is passed over and keeps its turn. Everything is O(1).
 */
export class FairLine<W extends Waiter> {
  readonly #turns = new WaitList<TenantLine<W>>()
  readonly #lines = new SweptMap<TenantShare, TenantLine<W>>()

  get isEmpty(): boolean {
    return this.#turns.isEmpty
  }

  /** Whether someone is in line whose tenant has not used up its share. */
  get canGoOn(): boolean {
    return this.#next() !== null
  }

  /** Of those who have someone in line, in the order of their turns. */
  *shares(): Iterable<TenantShare> {
    let line = this.#turns.first
    for (; line !== null; line = behind(line)) yield line.share
  }

  has(share: TenantShare): boolean {
    return this.#lines.get(share)?.isEmpty === false
  }

  push(share: TenantShare, waiter: W): void {
    const line = this.#lineOf(share)
    if (line.isEmpty) this.#turns.push(line)
    line.push(waiter)
  }

  /** Null if there is nobody who can go on. */
  shift(): W | null {
    const line = this.#next()
    if (line === null) return null
    const waiter = line.shift()
    this.#turns.remove(line)
    if (!line.isEmpty) this.#turns.push(line)
    return waiter
  }

  /** False for a waiter that is not in line. */
  remove(share: TenantShare, waiter: W): boolean {
    const line = this.#lines.get(share)
    if (line === undefined || !line.remove(waiter)) return false
    if (line.isEmpty) this.#turns.remove(line)
    return true
  }

  #lineOf(share: TenantShare): TenantLine<W> {
    const known = this.#lines.get(share)
    if (known !== undefined) return known
    const line = new TenantLine<W>(share)
    this.#lines.set(share, line)
    return line
  }

  /** Passes over two at most: no more tenants can have used up their share at the same time. */
  #next(): TenantLine<W> | null {
    let line = this.#turns.first
    while (line?.share.isUsedUp) line = behind(line)
    return line
  }
}

const behind = <W extends Waiter>(line: TenantLine<W>): TenantLine<W> | null =>
  line.behind as TenantLine<W> | null

/** What one tenant has of the connections, and how many of its exchanges are in line for more. */
export class TenantShare implements Sweepable {
  readonly #most: number
  /** Exchanges that have a connection. */
  busy = 0
  /** Exchanges in line, at all origins together. */
  waiting = 0

  constructor(most: number) {
    this.#most = most
  }

  get isUsedUp(): boolean {
    return this.busy >= this.#most
  }

  get isForgettable(): boolean {
    return this.busy === 0 && this.waiting === 0
  }
}

/**
 * Half. One tenant, wherever its requests go and however long they hang, leaves as much to the
 * others as it can have itself. At most two can have used up theirs, which is what makes passing
 * over them cheap.
 */
export const maxForOneTenant = (maxConnections: number): number => Math.ceil(maxConnections / 2)
