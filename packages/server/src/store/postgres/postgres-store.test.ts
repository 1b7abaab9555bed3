import { afterAll, beforeAll, describe, inject } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../tools/postgres/index.ts'
import { describeStore } from '../../../testing/store/store-conformance.js'
import { noSystemQuotas } from '../../domain/index.js'
import { openPostgresStore } from './postgres-store.js'

const server = inject('postgresUrl')

describe.runIf(server !== null)('on a real PostgreSQL', () => {
  let url: string
  beforeAll(async () => {
    url = await createDatabase(server!)
  })
  afterAll(() => dropDatabase(server!, url))

  describeStore('PostgreSQL', async (_, systemQuotas = noSystemQuotas) => {
    const store = openPostgresStore({ url, systemQuotas })
    await store.migrate()
    return store
  })
})
