import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startQuietService } from '../../testing/start/quiet-service.js'
import { World } from '../../testing/store/world-conformance.js'
import { monthEnd, noSystemQuotas } from '../domain/index.js'
import { openSqliteStore } from '../store/sqlite/sqlite-store.js'
import type { ServeOptions } from './serve-options.js'
import type { Service } from './service.js'

let folder: string
let service: Service | null = null

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-service-'))
})
afterEach(async () => {
  await service?.stop()
  service = null
  await rm(folder, { recursive: true })
})

async function start(options: Partial<ServeOptions>): Promise<Service> {
  service = await startQuietService(folder, options)
  return service
}

describe('a service', () => {
  it('has health and metrics, and no API, without that role', async () => {
    const { url } = await start({ roles: ['worker'] })
    const status = async (path: string) => (await fetch(`${url}${path}`)).status
    expect(await status('/healthz')).toBe(200)
    expect(await status('/readyz')).toBe(200)
    expect(await status('/api/v1/openapi.json')).toBe(404)
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain('kron_')
    expect(metrics).toMatch(/^process_cpu_seconds_total \d/m)
    expect(metrics).toMatch(/^nodejs_version_info\{version="v\d/m)
  })

  it('does not listen without a port', async () => {
    expect((await start({ roles: ['worker'], port: null })).url).toBeNull()
  })

  it('holds to the quotas of the whole system that it was given, and shows them', async () => {
    const systemQuotas = { ...noSystemQuotas, runsPerMonth: 0 }
    const { url, created } = await start({ systemQuotas })
    const post = async (path: string, body: object): Promise<{ id: string }> => {
      const headers = {
        authorization: `Bearer ${created!.text}`,
        'content-type': 'application/json',
      }
      const given = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await fetch(`${url}/api/v1${path}`, given)).json() as Promise<{ id: string }>
    }
    const { id: job } = await post('/jobs', { name: 'j' })
    const definition = { name: 'e', url: 'http://127.0.0.1:9/', intervalMs: 3_600_000 }
    const { id } = await post(`/jobs/${job}/endpoints`, definition)
    expect(await post(`/endpoints/${id}/run`, {})).toMatchObject({ code: 'system_quota_exceeded' })
    let metrics = ''
    while (!metrics.includes('kron_system_quota{')) {
      metrics = await (await fetch(`${url}/metrics`)).text()
    }
    expect(metrics).toContain('kron_system_quota{quota="runsPerMonth"} 0\n')
  })

  it('has endpoints planned again that waited for a quota that it does not have', async () => {
    const path = join(folder, 'kron.db')
    const systemQuotas = { ...noSystemQuotas, runsPerMonth: 0 }
    const before = openSqliteStore({ path, now: Date.now, systemQuotas })
    await before.migrate()
    const world = new World(before)
    const made = await world.due(await world.place())
    const { now } = await world.claim()
    expect((await world.plan(made)).nextRunAt).toBe(monthEnd(now))
    await before.close()
    await (await start({ roles: ['worker'], allow: [] })).stop()
    const after = openSqliteStore({ path, now: Date.now })
    expect((await new World(after).plan(made)).nextRunAt).not.toBe(monthEnd(now))
    await after.close()
  })

  describe('whose connections are few', () => {
    const open: Server[] = []
    let busy = 0
    let busiest = 0
    let answered = 0
    let allAnswered: () => void
    const targets = 4

    /** Takes a while, so that requests that may come together do. */
    function target(): Promise<string> {
      const server = createServer((_, response) => {
        busy++
        busiest = Math.max(busiest, busy)
        setTimeout(() => {
          busy--
          response.end()
          answered++
          if (answered === targets) allAnswered()
        }, 50)
      })
      open.push(server)
      return new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => {
          resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
        })
      })
    }

    afterEach(async () => {
      for (const server of open) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    })

    it('has no more of them to all hosts together', async () => {
      const done = new Promise<void>((resolve) => {
        allAnswered = resolve
      })
      const { url, created } = await start({ connections: 1 })
      const post = async (path: string, body: unknown) => {
        const headers = {
          authorization: `Bearer ${created!.text}`,
          'content-type': 'application/json',
        }
        const init = { method: 'POST', headers, body: JSON.stringify(body) ?? null }
        return (await (await fetch(`${url}/api/v1${path}`, init)).json()) as { id: string }
      }
      const job = await post('/jobs', { name: 'all' })
      const ids: string[] = []
      for (let n = 0; n < targets; n++) {
        const definition = { name: `to ${n}`, url: await target(), intervalMs: 3_600_000 }
        ids.push((await post(`/jobs/${job.id}/endpoints`, definition)).id)
      }
      await Promise.all(ids.map((id) => post(`/endpoints/${id}/run`, undefined)))
      await done
      expect(busiest).toBe(1)
    })
  })
})
