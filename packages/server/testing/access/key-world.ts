import { createLog } from '@kron/runtime'
import { VirtualClock } from '@kron/runtime/testing'
import { type NewKeyText, newKeyText } from '../../src/access/key-text.js'
import type { ApiKey } from '../../src/domain/index.js'
import type { Store } from '../../src/store/index.js'
import { SampleStore } from '../sample-store.js'

/** Keys in a store in memory. The store's clock and ours are apart, as those of machines are. */
export class KeyWorld {
  readonly sample: SampleStore
  readonly clock = new VirtualClock(1_000_000)
  readonly logged: Record<string, unknown>[] = []
  readonly log = createLog({
    format: 'json',
    level: 'info',
    component: 'api',
    clock: this.clock,
    write: (line) => void this.logged.push(JSON.parse(line)),
  })
  /** How often the store was asked. */
  asked = 0
  #keys = 0

  private constructor(sample: SampleStore) {
    this.sample = sample
  }

  static async open(): Promise<KeyWorld> {
    return new KeyWorld(await SampleStore.open())
  }

  get tenantId(): string {
    return this.sample.tenantId
  }

  /** The store, counting. */
  get store(): Store {
    const { store } = this.sample
    const count = <Result>(result: Result): Result => {
      this.asked++
      return result
    }
    return {
      tenant: (id, work) => count(store.tenant(id, work)),
      system: (work) => count(store.system(work)),
    } as Partial<Store> as Store
  }

  async key(change: Partial<ApiKey> = {}): Promise<ApiKey & NewKeyText> {
    const made = newKeyText()
    const key: ApiKey = {
      id: `key_${String(++this.#keys).padStart(26, '0')}`,
      tenantId: this.tenantId,
      name: 'ci',
      prefix: made.prefix,
      scopes: ['read'],
      createdAt: this.sample.now,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      ...change,
    }
    await this.sample.store.tenant(key.tenantId, (rows) => rows.keys.insert(key, made.hash))
    if (key.revokedAt !== null) await this.revoke(key)
    return { ...key, ...made }
  }

  async revoke({ id, tenantId }: ApiKey): Promise<void> {
    const { now, store } = this.sample
    await store.tenant(tenantId, (rows) => rows.keys.revoke(id, now))
  }

  async audited(): Promise<unknown[]> {
    const page = { limit: 50, after: null }
    const { items } = await this.sample.store.tenant(this.tenantId, (rows) => rows.audit.list(page))
    return items.map(({ id: _id, at: _at, ...entry }) => entry).reverse()
  }

  readonly close = (): Promise<void> => this.sample.store.close()
}
