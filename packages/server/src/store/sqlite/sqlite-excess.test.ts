import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleRun } from '../../../testing/sample-endpoint.js'
import { World } from '../../../testing/store/world-conformance.js'
import { pruneExcess } from '../sql/excess-runs.js'
import type { Sql, SqlValue } from '../sql/sql.js'
import type { Store } from '../store.js'
import { SqliteStatements } from './sqlite-sql.js'
import { openSqliteStore } from './sqlite-store.js'

let folder: string
let store: Store
let database: Database.Database

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-excess-'))
  const path = join(folder, 'kron.db')
  store = openSqliteStore({ path, now: () => 1_800_000_000_000 })
  await store.migrate()
  database = new Database(path)
})

afterEach(async () => {
  database.close()
  await store.close()
  await rm(folder, { recursive: true })
})

/** Statements as they are executed, with the rows each of them found or changed. */
function watched(): { sql: Sql; asked: { text: string; rows: number }[] } {
  const sql = new SqliteStatements(database).at(0, () => 0)
  const asked: { text: string; rows: number }[] = []
  return {
    asked,
    sql: {
      ...sql,
      all: async <Row>(text: string, parameters?: readonly SqlValue[]) => {
        const rows = await sql.all<Row>(text, parameters)
        asked.push({ text, rows: rows.length })
        return rows
      },
      run: async (text, parameters) => {
        const rows = await sql.run(text, parameters)
        asked.push({ text, rows })
        return rows
      },
    },
  }
}

describe('a look for runs beyond the number that is kept', () => {
  it('asks for a bounded number of rows, by an index each time', async () => {
    const world = new World(store)
    const retention = { runDays: 10, runsPerEndpoint: 2, bodyDays: 1 }
    const place = await world.place({ retention })
    for (let n = 0; n < 40; n++) {
      const { endpoint } = await world.endpoint(place)
      const { id: endpointId, tenantId } = endpoint
      await world.as(place.tenant, async (rows) => {
        for (let at = 1; at <= 4; at++) {
          await rows.runs.insert(sampleRun(at, { endpointId, tenantId }))
        }
      })
    }
    const { sql, asked } = watched()
    const did = await pruneExcess(sql, place.tenant, { endpoints: 5, runs: 100 })
    expect(did).toEqual({ runs: 10, endpoints: 5, isPassEnd: false })
    // Where it was, the next five, a deletion of two for each, where it is now.
    expect(asked.map(({ rows }) => rows)).toEqual([1, 5, 2, 2, 2, 2, 2, 1])
    for (const { text } of asked) expect(plainScans(text)).toEqual([])
  })
})

/** Steps of a statement that go through a whole table of the schema. */
function plainScans(text: string): string[] {
  const explain = database.prepare(`EXPLAIN QUERY PLAN ${text.replace(/\$(\d+)/g, '?$1')}`)
  const parameters = { 1: '', 2: '', 3: 1, 4: 1 }
  const steps = explain.all(parameters) as { detail: string }[]
  return steps.map(({ detail }) => detail).filter((detail) => /^SCAN (?!excess)/.test(detail))
}
