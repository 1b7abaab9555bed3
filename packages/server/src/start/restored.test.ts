import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startQuietService } from '../../testing/start/quiet-service.js'
import type { Service } from './service.js'

const hour = 3_600_000
let folder: string
let service: Service | null = null

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-restored-'))
})
afterEach(async () => {
  await service?.stop()
  await rm(folder, { recursive: true })
})

type Asked = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

const asker =
  (url: string, key: string): Asked =>
  async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Record<string, unknown>
  }

/** A database as a backup has it: what was due since then may have been sent, and nobody knows. */
async function backup(): Promise<{ readonly key: string; readonly id: string }> {
  service = await startQuietService(folder, { roles: ['api'] })
  const key = service.created!.text
  const ask = asker(service.url!, key)
  const { id: jobId } = await ask('POST', '/jobs', { name: 'j' })
  const given = { name: 'e', url: 'http://127.0.0.1:9/', intervalMs: hour }
  const { id } = await ask('POST', `/jobs/${jobId}/endpoints`, given)
  await service.stop()
  service = null
  const database = new Database(join(folder, 'kron.db'))
  const due = Date.now() - hour
  database
    .prepare('UPDATE plans SET next_run_at = ?, wake_at = ?, last_run_at = ?')
    .run(due, due, due - hour)
  database.close()
  return { key, id: id as string }
}

describe('a service on a database that comes from a backup', () => {
  it.each([
    [true, 0],
    [false, 1],
  ])('with --restored: %s sends what was due before: %i', async (restored, sent) => {
    const { key, id } = await backup()
    const startedAt = Date.now()
    service = await startQuietService(folder, { roles: ['api', 'worker'], restored })
    const ask = asker(service.url!, key)
    let nextRunAt = 0
    while (nextRunAt <= startedAt + 1000) {
      const endpoint = await ask('GET', `/endpoints/${id}`)
      nextRunAt = endpoint['source'] === 'paused' ? 0 : Date.parse(String(endpoint['nextRunAt']))
    }
    const runs = (await ask('GET', `/runs?endpointId=${id}`))['items']
    expect(runs).toHaveLength(sent)
  })
})
