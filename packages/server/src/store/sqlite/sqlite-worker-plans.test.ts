import type Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratedDatabase } from '../../../testing/migrated-database.js'
import { defaultRetention, noSystemQuotas, type Tenant, unlimited } from '../../domain/index.js'
import type { Sql, SqlValue } from '../sql/sql.js'
import { systemTables } from '../sql/system-tables.js'
import type { SystemTransaction } from '../system-transaction.js'
import { type PreparedHot, prepareHot } from './sqlite-hot-statements.js'
import { bound, SqliteStatements, sqliteText } from './sqlite-sql.js'

let database: Database.Database
let hot: PreparedHot

beforeAll(() => {
  database = migratedDatabase()
  hot = prepareHot(database)
})
afterAll(() => void database.close())

const detailsOf = (rows: unknown[]): string[] =>
  (rows as { readonly detail: string }[]).map(({ detail }) => detail)

function planOf(text: string): string[] {
  const places = text.match(/\?/g) ?? []
  const explain = database.prepare(`EXPLAIN QUERY PLAN ${text}`)
  return detailsOf(explain.all(...places.map(() => null)))
}

/** How SQLite executes each statement of some upkeep. */
async function plansOf(work: (rows: SystemTransaction) => Promise<unknown>): Promise<string[]> {
  const sql = new SqliteStatements(database).at(0, () => 0)
  const details: string[] = []
  const look = (text: string, parameters: readonly SqlValue[] = []): void => {
    const explain = database.prepare(`EXPLAIN QUERY PLAN ${sqliteText(text)}`)
    details.push(...detailsOf(explain.all(bound(parameters))))
  }
  const watched: Sql = {
    ...sql,
    all: <Row>(text: string, parameters?: readonly SqlValue[]) => {
      look(text, parameters)
      return sql.all<Row>(text, parameters)
    },
    run: (text, parameters) => {
      look(text, parameters)
      return sql.run(text, parameters)
    },
  }
  await work(systemTables(watched, noSystemQuotas))
  return details
}

/** What lists made before hand over to the statement around them is not of a table. */
const isScanOfTable = (detail: string): boolean =>
  /^SCAN (?!json_each|\(subquery|CONSTANT ROW)/.test(detail) &&
  !/USING (COVERING )?INDEX/.test(detail)

describe('what workers do again and again', () => {
  it('reads no table from its beginning to its end', () => {
    const scans = Object.entries(hot).flatMap(([name, { source }]) =>
      planOf(source)
        .filter(isScanOfTable)
        .map((detail) => `${name}: ${detail}`),
    )
    expect(scans).toEqual([])
  })

  it.each([
    ['due', 'plans_by_wake'],
    ['nextWakes', 'plans_by_wake'],
    ['nextWakes', 'runs_overlapping'],
    ['endLost', 'runs_overlapping'],
    ['replaceRuns', 'runs_overlapping_by_endpoint'],
  ] as const)('finds rows by an index: %s by %s', (name, index) => {
    expect(planOf(hot[name].source).join('\n')).toMatch(new RegExp(`INDEX ${index}\\b`))
  })
})

const tenant: Tenant = {
  id: 'ten',
  name: 'a tenant',
  createdAt: 0,
  quotas: unlimited,
  retention: defaultRetention,
}

describe('what upkeep does again and again', () => {
  it.each<[string, (rows: SystemTransaction) => Promise<unknown>, readonly string[]]>([
    [
      'traces',
      (rows) => rows.pruneTraces(5, 5),
      ['claims_by_age', 'idempotency_by_age', 'log_outs_by_age'],
    ],
    [
      'what a tenant keeps for some days',
      (rows) => rows.prune(tenant, 5),
      ['runs_by_tenant', 'planner_sessions_by_age', 'deleted_endpoints_by_age'],
    ],
    ['attention', (rows) => rows.takeAttention(5), ['attention_by_age']],
  ])('finds rows by an index: %s', async (_, work, indexes) => {
    const details = await plansOf(work)
    expect(details.filter(isScanOfTable)).toEqual([])
    for (const index of indexes) {
      expect(details.join('\n')).toMatch(new RegExp(`INDEX ${index}\\b`))
    }
  })
})
