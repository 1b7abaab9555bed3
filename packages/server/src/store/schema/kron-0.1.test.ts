import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../tools/postgres/index.ts'
import type { Endpoint, Plan } from '../../domain/index.js'
import { compileEndpoint, EndpointPlanning } from '../../scheduling/index.js'
import { openPostgresStore } from '../postgres/postgres-store.js'
import { openSqliteStore } from '../sqlite/sqlite-store.js'
import type { Store } from '../store.js'

const written = fileURLToPath(new URL('../../../test/kron-0.1.sql', import.meta.url))
const tenantId = 'ten_01kjss4dsgtgybtbanhv3sdkjw'
/** A second after the last thing that the old server did. */
const after = Date.parse('2026-03-03T13:00:31Z')

interface Opened {
  readonly store: Store
  /** Changes a row as a program of 0.1 does, which runs beside this one. */
  readonly writeAs01: (text: string) => Promise<void>
  /** Versions that a program of 0.1 finds. */
  readonly versions: () => Promise<readonly number[]>
  /** Months with the runs that all tenants together had. */
  readonly sums: () => Promise<readonly unknown[]>
}

function describeOld(name: string, open: () => Promise<Opened>, close: () => Promise<void>): void {
  describe(`a database of 0.1 in ${name}`, () => {
    let opened: Opened
    let planning: EndpointPlanning
    beforeAll(async () => {
      opened = await open()
      await opened.store.migrate()
      const readSteering = () => ({ problems: [] })
      const onBroken = (_: Plan, error: unknown) => {
        throw error
      }
      planning = new EndpointPlanning({ maxDefinitions: 100, readSteering, onBroken })
    })
    afterAll(async () => {
      await opened.store.close()
      await close()
    })

    const all = async (): Promise<Map<string, { endpoint: Endpoint; plan: Plan }>> => {
      const page = { limit: 100, after: null }
      const found = await opened.store.tenant(tenantId, (rows) => rows.endpoints.list(page))
      return new Map(found.items.map((each) => [each.endpoint.definition.name, each]))
    }

    it('has what its tenants used counted for all of them together', async () => {
      expect(await opened.sums()).toEqual([{ month: '2026-03', runs: 2 }])
    })

    it('keeps its endpoints, whose planners only suggest from now on', async () => {
      const endpoints = await all()
      const modes = [...endpoints].map(([each, { endpoint }]) => [
        each,
        endpoint.definition.planner,
      ])
      expect(modes).toEqual([
        ['dead', 'suggest'],
        ['hinted', 'suggest'],
        ['windowed', 'suggest'],
        ['finished', 'suggest'],
        ['hourly', 'off'],
        ['ignored', 'suggest'],
      ])
    })

    it('keeps the times that were drawn for its windows', async () => {
      const { endpoint, plan } = (await all()).get('windowed')!
      expect(endpoint.identity).toBe(endpoint.id)
      const { chosenTime } = compileEndpoint(endpoint).job!.decide(Date.parse(plan.periodId!))
      expect(chosenTime).toBe(plan.nextRunAt)
    })

    it('is planned again where that had ended, and without the hints of planners', async () => {
      const claim = (claimId: string) => {
        const request = { claimId, owner: 'wrk_2', limit: 100, withinMs: 0, crowd: 100 }
        return opened.store.claim(request, planning)
      }
      const { now } = await claim('again')
      const plans = await all()
      const { plan: dead } = plans.get('dead')!
      expect(new Date(dead.nextRunAt!).getUTCDay()).toBe(1)
      expect(dead.nextRunAt).toBeGreaterThan(now)
      expect(plans.get('hinted')!.plan).toMatchObject({
        intervalHint: null,
        source: 'baseline-cron',
      })
      expect(plans.get('finished')!.plan.nextRunAt).toBeNull()
      const { policy } = compileEndpoint(plans.get('ignored')!.endpoint)
      expect(policy).toMatchObject({ concurrency: 'allow', deadline: 300_000 })
    })

    it('shows runs that an older program beside it is asked for, and takes back', async () => {
      const { plan } = (await all()).get('hourly')!
      const write = (adjustments: string) =>
        opened.writeAs01(`UPDATE plans SET adjustments = ${adjustments}
          WHERE endpoint_id = '${plan.endpointId}'`)
      const open = () =>
        opened.store.tenant(tenantId, (rows) => rows.runs.open({ endpointId: plan.endpointId }))
      const at = after + 60_000
      const asked = { endpointId: plan.endpointId, scheduledFor: at }
      await write(`'{"requested":{"at":${at},"source":"manual"}}'`)
      expect(await open()).toContainEqual(asked)
      await write('NULL')
      expect(await open()).not.toContainEqual(asked)
    })

    it('keeps its history', async () => {
      const page = { limit: 10, after: null, status: ['success'] as const }
      const { items } = await opened.store.tenant(tenantId, (rows) => rows.runs.list(page))
      expect(items.map(({ status, notes }) => [status, notes])).toEqual([
        ['success', []],
        ['success', []],
      ])
      const sessions = await opened.store.tenant(tenantId, (rows) =>
        rows.sessions.list({ limit: 10, after: null }),
      )
      expect(sessions.items).toMatchObject([{ planner: 'rules', suggested: [] }])
    })

    it('has nothing in its ledger that a program of 0.1 would refuse', async () => {
      expect(await opened.versions()).toEqual([1, 2, 3])
    })
  })
}

let folder: string
describeOld(
  'SQLite',
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'kron-old-'))
    const path = join(folder, 'kron.db')
    const database = new Database(path)
    database.exec(await readFile(written, 'utf8'))
    database.close()
    const store = openSqliteStore({ path, now: () => after })
    const versions = async () => {
      const read = new Database(path, { readonly: true })
      const found = read.prepare('SELECT version FROM migrations ORDER BY version').pluck().all()
      read.close()
      return found as number[]
    }
    const sums = async () => {
      const read = new Database(path, { readonly: true })
      const found = read.prepare('SELECT month, runs FROM system_usage').all()
      read.close()
      return found
    }
    const writeAs01 = async (text: string) => {
      const beside = new Database(path)
      beside.exec(text)
      beside.close()
    }
    return { store, writeAs01, versions, sums }
  },
  () => rm(folder, { recursive: true }),
)

const server = inject('postgresUrl')
describe.runIf(server !== null)('on a real server', () => {
  let admin: pg.Client
  let url: string
  describeOld(
    'PostgreSQL',
    async () => {
      url = await createDatabase(server!)
      admin = new pg.Client(url)
      await admin.connect()
      await admin.query(await readFile(written, 'utf8'))
      const text = 'SELECT version::int AS version FROM migrations ORDER BY version'
      const versions = async () =>
        (await admin.query<{ version: number }>(text)).rows.map(({ version }) => version)
      const used = 'SELECT month, runs::int AS runs FROM system_usage'
      const sums = async () => (await admin.query(used)).rows
      const writeAs01 = async (text: string) => void (await admin.query(text))
      return { store: openPostgresStore({ url }), writeAs01, versions, sums }
    },
    async () => {
      await admin.end()
      await dropDatabase(server!, url)
    },
  )
})
