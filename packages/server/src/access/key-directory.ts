import type { Clock } from '@kron/runtime'
import type { ApiKey, Tenant } from '../domain/index.js'
import type { Store } from '../store/index.js'
import { BoundedMap } from './bounded-map.js'

/**
 * How long a look-up is believed. A key that is revoked by another process works for this much
 * longer at most; one that is revoked by this process stops at once.
 */
export const lookUpTtlMs = 3_000

const maxLookUps = 10_000

interface LookUp {
  readonly key: ApiKey
  readonly tenant: Tenant
  /** The database's time and ours at the look-up. */
  readonly storeTime: number
  readonly ownTime: number
}

export interface KeyOwner {
  readonly key: ApiKey
  readonly tenant: Tenant
  /** The database's time, as far as it is known. */
  readonly now: number
}

/** Finds keys by their hash or id, and remembers those that are in use for a moment. */
export class KeyDirectory {
  readonly #store: Store
  readonly #clock: Clock
  readonly #lookUps = new BoundedMap<string, LookUp>(maxLookUps)

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Whether the key was found before: it is then no guess, however old the look-up is. */
  hasMet(hash: string): boolean {
    return this.#lookUps.get(hash) !== undefined
  }

  /** The owner of a usable key, or null when it is unknown, revoked or expired. */
  byHash(hash: string): Promise<KeyOwner | null> {
    return this.#owner(hash, () =>
      this.#store.system(async (rows) => {
        const key = await rows.keyByHash(hash)
        const tenant = key === null ? null : await rows.tenant(key.tenantId)
        return { key, tenant, now: rows.now }
      }),
    )
  }

  byId(tenantId: string, keyId: string): Promise<KeyOwner | null> {
    return this.#owner(keyId, () =>
      this.#store.tenant(tenantId, async (rows) => {
        const key = await rows.keys.get(keyId)
        const tenant = key === null ? null : await rows.tenant.get()
        return { key, tenant, now: rows.now }
      }),
    )
  }

  forget(keyId: string): void {
    this.#lookUps.deleteWhere(({ key }) => key.id === keyId)
  }

  async #owner(name: string, ask: () => Promise<Found>): Promise<KeyOwner | null> {
    const ownTime = this.#clock.now().getTime()
    const known = this.#lookUps.get(name)
    if (known !== undefined && isFresh(known, ownTime)) return usable(known, ownTime)
    const { key, tenant, now } = await ask()
    if (key === null || tenant === null) {
      this.#lookUps.delete(name)
      return null
    }
    const lookUp = { key, tenant, storeTime: now, ownTime }
    this.#lookUps.set(name, lookUp)
    return usable(lookUp, ownTime)
  }
}

interface Found {
  readonly key: ApiKey | null
  readonly tenant: Tenant | null
  readonly now: number
}

/** A clock that was set back makes a look-up old, not young for ever. */
function isFresh({ ownTime }: LookUp, now: number): boolean {
  return now >= ownTime && now - ownTime < lookUpTtlMs
}

function usable({ key, tenant, storeTime, ownTime }: LookUp, ownNow: number): KeyOwner | null {
  const now = storeTime + (ownNow - ownTime)
  const expired = key.expiresAt !== null && key.expiresAt <= now
  return key.revokedAt !== null || expired ? null : { key, tenant, now }
}
