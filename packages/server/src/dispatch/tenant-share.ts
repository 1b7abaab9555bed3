import type { Sweepable } from './swept-map.js'

/** What one tenant has of the connections, and how many of its exchanges are in line for more. */
export class TenantShare implements Sweepable {
  readonly #most: number
  /** Exchanges that have a connection. */
  busy = 0
  /** Exchanges in line, at whichever origin. */
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
