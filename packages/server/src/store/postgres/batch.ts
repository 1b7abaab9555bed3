import {
  type Columns,
  type ColumnType,
  type ColumnValues,
  type NewRows,
  namesOf,
  readersOf,
  typeOf,
} from '../sql/columns.js'
import type { SqlValue } from '../sql/sql.js'
import { bytes, numbers, texts } from './array-literal.js'

/** Many rows in one statement: an array for each column, which the database puts side by side. */
export interface Batch<Item> {
  /** A table `u` with a column for each parameter; it takes the first ones of the statement. */
  readonly from: string
  readonly size: number
  readonly values: (items: readonly Item[]) => SqlValue[]
}

const arrays = {
  text: (values: readonly SqlValue[]) => texts(values as (string | null)[]),
  bigint: (values: readonly SqlValue[]) => numbers(values as (number | null)[]),
  bytes: (values: readonly SqlValue[]) => bytes(values as (Uint8Array | null)[]),
}
const databaseTypes = { text: 'text', bigint: 'bigint', bytes: 'bytea' } as const satisfies Record<
  ColumnType,
  string
>

export function batchOf<Table extends Columns, Item>(
  columns: Table,
  values: ColumnValues<Table, Item>,
): Batch<Item> {
  const names = namesOf(values)
  const readers = readersOf(values)
  const types = names.map((name) => typeOf(columns, name))
  const places = types.map((type, index) => `$${index + 1}::${databaseTypes[type]}[]`)
  return {
    from: `unnest(${places.join(', ')}) AS u(${names.join(', ')})`,
    size: names.length,
    values: (items) => readers.map((read, index) => arrays[types[index]!](items.map(read))),
  }
}

export interface Insert<Item, Common> {
  readonly text: string
  readonly values: (items: readonly Item[], common: Common) => SqlValue[]
}

/** Inserts those rows that are not there. */
export function insertOf<Table extends Columns, Item, Common>(
  table: string,
  columns: Table,
  { each, common }: NewRows<Table, Item, Common>,
): Insert<Item, Common> {
  const batch = batchOf(columns, each)
  const shared = namesOf(common)
  const places = shared.map(
    (name, index) => `$${batch.size + index + 1}::${databaseTypes[typeOf(columns, name)]}`,
  )
  return {
    text: `INSERT INTO ${table} (${[...namesOf(each), ...shared].join(', ')})
      SELECT ${['u.*', ...places].join(', ')} FROM ${batch.from} ON CONFLICT DO NOTHING`,
    values: (items, given) => [
      ...batch.values(items),
      ...readersOf(common).map((read) => read(given)),
    ],
  }
}
