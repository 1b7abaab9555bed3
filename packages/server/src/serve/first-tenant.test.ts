import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../tools/postgres/index.ts'
import { createAddressGuard } from '../dispatch/index.js'
import { createVault, newSealingKeyText, parseSealingKeys } from '../secrets/index.js'
import { openPostgresStore, openSqliteStore, type Store } from '../store/index.js'
import { firstTenant } from './first-tenant.js'

const vault = createVault(parseSealingKeys(newSealingKeyText(), 'test'))
const addressGuard = createAddressGuard({ allow: [] })

async function racing(stores: readonly Store[]): Promise<number> {
  await Promise.all(stores.map((store) => store.migrate()))
  const made = await Promise.all(stores.map((store) => firstTenant({ store, vault, addressGuard })))
  expect(await firstTenant({ store: stores[0]!, vault, addressGuard })).toBe(null)
  await Promise.all(stores.map((store) => store.close()))
  return made.filter((created) => created !== null).length
}

describe('the first tenant', () => {
  it('is made once', async () => {
    expect(await racing([openSqliteStore({ path: ':memory:', now: Date.now })])).toBe(1)
  })

  const server = inject('postgresUrl')
  describe.runIf(server !== null)('on PostgreSQL', () => {
    let url: string
    beforeAll(async () => {
      url = await createDatabase(server!)
    })
    afterAll(() => dropDatabase(server!, url))

    it('is made once, however many processes find the database empty', async () => {
      const stores = Array.from({ length: 6 }, () => openPostgresStore({ url, connections: 2 }))
      expect(await racing(stores)).toBe(1)
    })
  })
})
