import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest'
import { createDatabase, dropDatabase } from '../../../tools/postgres/index.ts'
import type { ApiOptions } from '../src/api/api-ports.js'
import type { Store } from '../src/store/index.js'
import { openPostgresStore } from '../src/store/postgres/postgres-store.js'
import { ApiWorld } from './api/api-world.js'
import { TenantApi } from './api/tenant-api.js'

/**
 * The same tests on SQLite and on PostgreSQL. PostgreSQL's time is its own: tests ask
 * `api.storeNow()` for it instead of the virtual clock.
 */
export function onBothStores(
  tests: (api: StoreApi) => void,
  options: Partial<ApiOptions> = {},
): void {
  describe('on SQLite', () => describeOn(tests, options, async () => null))

  const server = inject('postgresUrl')
  describe.runIf(server !== null)('on PostgreSQL', () => {
    let url: string
    beforeAll(async () => {
      url = await createDatabase(server!)
    })
    afterAll(() => dropDatabase(server!, url))
    describeOn(tests, options, async () => openPostgresStore({ url, connections: 4 }))
  })
}

export class StoreApi extends TenantApi {
  async storeNow(): Promise<number> {
    return this.store.system(async ({ now }) => now)
  }

  /** Lets some milliseconds pass, for the store too, whatever clock it has. */
  async pass(ms: number): Promise<void> {
    const until = (await this.storeNow()) + ms
    await this.clock.advanceBy(ms)
    while ((await this.storeNow()) < until);
  }
}

function describeOn(
  tests: (api: StoreApi) => void,
  options: Partial<ApiOptions>,
  open: () => Promise<Store | null>,
): void {
  const api = new StoreApi()
  beforeEach(async () => {
    const store = await open()
    await api.openOn(await ApiWorld.open({ ...options, ...(store !== null && { store }) }))
  })
  afterEach(api.close)
  tests(api)
}
