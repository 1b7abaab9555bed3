import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../tools/postgres/index.ts'
import { migratedDatabase } from '../../../testing/migrated-database.js'
import { openPostgresStore } from '../postgres/postgres-store.js'
import { type Columns, type ColumnValues, namesOf } from '../sql/columns.js'
import { planColumns } from '../sql/plan-row.js'
import { endedRuns, runColumns, startedRuns, wholeRuns } from '../sql/run-row.js'

/** Made by the database, and so in no statement that writes. */
const generated = ['requested_at']

const sorted = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).sort(([one], [other]) => (one < other ? -1 : 1)))

const tables = { plans: planColumns, runs: runColumns }

describe.each(Object.entries(tables))('the columns of %s', (table, columns) => {
  it('are those of the table in SQLite, with their types', () => {
    const database = migratedDatabase()
    const found = database.prepare(`SELECT * FROM pragma_table_xinfo('${table}')`).all() as {
      name: string
      type: string
      notnull: number
      pk: number
    }[]
    database.close()
    const types: Readonly<Record<string, string>> = { blob: 'bytes' }
    const known = found
      .filter(({ name }) => !generated.includes(name))
      .map(({ name, type, notnull, pk }) => {
        const lower = types[type.toLowerCase()] ?? type.toLowerCase()
        return [name, notnull + pk > 0 ? lower : `${lower} or null`]
      })
    expect(sorted(columns)).toEqual(sorted(Object.fromEntries(known)))
  })

  const server = inject('postgresUrl')
  it.runIf(server !== null)('are those of the table in PostgreSQL, with their types', async () => {
    const url = await createDatabase(server!)
    const store = openPostgresStore({ url })
    await store.migrate()
    const admin = new pg.Client(url)
    await admin.connect()
    const { rows } = await admin.query<{ name: string; type: string; nullable: string }>(
      `SELECT column_name AS name, data_type AS type, is_nullable AS nullable
       FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'`,
      [table],
    )
    await admin.end()
    await store.close()
    await dropDatabase(server!, url)
    const known = rows.map(({ name, type, nullable }) => {
      const plain = type === 'bytea' ? 'bytes' : type
      return [name, nullable === 'YES' ? `${plain} or null` : plain]
    })
    expect(sorted(columns)).toEqual(sorted(Object.fromEntries(known)))
  })
})

describe('rows of runs that are inserted', () => {
  const demanded = namesOf(runColumns).filter((name) => !runColumns[name].endsWith(' or null'))

  it.each([
    ['by a claim', startedRuns],
    ['at their end', endedRuns],
    ['by people', wholeRuns],
  ])('have all that must not be null, once each: %s', (_, { each, common }) => {
    const names = [each, common].flatMap((values: ColumnValues<Columns, never>) => namesOf(values))
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(demanded))
  })
})
