import type { SqlValue } from './sql.js'

export type ColumnType = 'text' | 'bigint' | 'bytes'

/** The columns of a table in the order in which statements name them; each says its type. */
export type Columns = Readonly<Record<string, ColumnType | `${ColumnType} or null`>>

interface Values {
  readonly text: string
  readonly bigint: number
  readonly bytes: Uint8Array
}

type ValueOf<Type> = Type extends ColumnType
  ? Values[Type]
  : Type extends `${infer Plain extends ColumnType} or null`
    ? Values[Plain] | null
    : never

/** A row as both databases give it. */
export type RowOf<Table extends Columns> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]>
}

/** What some of the columns hold of an item. */
export type ColumnValues<Table extends Columns, Item> = {
  readonly [Name in keyof Table]?: (item: Item) => ValueOf<Table[Name]>
}

/** Rows that are inserted together: what each has of its own, and what all have in common. */
export interface NewRows<Table extends Columns, Item, Common> {
  readonly each: ColumnValues<Table, Item>
  readonly common: ColumnValues<Table, Common>
}

export function namesOf<Named extends object>(columns: Named): (keyof Named & string)[] {
  return Object.keys(columns) as (keyof Named & string)[]
}

export function typeOf(columns: Columns, name: string): ColumnType {
  const type = columns[name]
  if (type === undefined) throw new Error(`there is no column ${name}`)
  return type.replace(' or null', '') as ColumnType
}

/** A statement that inserts a row, unless it is there. */
export interface InsertOne<Item, Common> {
  readonly text: string
  readonly values: (item: Item, common: Common) => SqlValue[]
}

/**
 * `placeOf` says how the n-th parameter is written, from 1. A row that is there is left as it is, or
 * is an error where nobody else can have made it.
 */
export function insertOne<Table extends Columns, Item, Common>(
  table: string,
  { each, common }: NewRows<Table, Item, Common>,
  placeOf: (n: number) => string,
  ifThere: 'left' | 'error' = 'left',
): InsertOne<Item, Common> {
  const names = [...namesOf(each), ...namesOf(common)]
  const places = names.map((_, index) => placeOf(index + 1))
  // Looked up once: a claim inserts thousands of rows.
  const ofItem = readersOf(each)
  const ofCommon = readersOf(common)
  return {
    text: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})
      ${ifThere === 'left' ? 'ON CONFLICT DO NOTHING' : ''}`,
    values(item, given) {
      const values: SqlValue[] = []
      for (const read of ofItem) values.push(read(item))
      for (const read of ofCommon) values.push(read(given))
      return values
    },
  }
}

/** In the order of the names. */
export const readersOf = <Item>(
  values: ColumnValues<Columns, Item>,
): readonly ((item: Item) => SqlValue)[] =>
  Object.values(values) as readonly ((item: Item) => SqlValue)[]
