import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../tools/postgres/index.ts'
import { startQuietService } from '../../testing/start/quiet-service.js'
import type { Role } from './server.js'
import type { Service } from './service.js'

const server = inject('postgresUrl')
const stores = server === null ? ['SQLite'] : ['SQLite', 'PostgreSQL']

describe.each(stores)('the key of the first tenant, on %s', (store) => {
  let folder: string
  let database: string
  const running: Service[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kron-first-key-'))
    database = store === 'SQLite' ? join(folder, 'kron.db') : await createDatabase(server!)
  })
  afterEach(async () => {
    for (const service of running.splice(0)) await service.stop()
    await rm(folder, { recursive: true })
    if (store !== 'SQLite') await dropDatabase(server!, database)
  })

  async function start(roles: readonly Role[]): Promise<Service> {
    const service = await startQuietService(folder, { roles, database })
    running.push(service)
    return service
  }

  it('is for the API to show, also when workers and planners start before it', async () => {
    expect((await start(['worker'])).created).toBeNull()
    expect((await start(['planner', 'worker'])).created).toBeNull()
    const { url, created } = await start(['api'])
    const headers = { authorization: `Bearer ${created!.text}` }
    expect((await fetch(`${url}/api/v1/tenant`, { headers })).status).toBe(200)
    expect((await start(['api', 'worker'])).created).toBeNull()
  })
})
