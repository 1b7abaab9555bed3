import type { SqlValue } from './sql.js'

/** A condition, and what stands for each `?` in it. */
export type Term = readonly [text: string, ...values: SqlValue[]]

export const anyOf = (column: string, values: readonly SqlValue[]): Term => [
  `${column} IN (${values.map(() => '?').join(', ')})`,
  ...values,
]

/** The WHERE of a query that is put together, with its parameters. */
export class Conditions {
  readonly #terms: string[] = []
  readonly parameters: SqlValue[]

  /** Of a query around another one, whose parameters come first. */
  constructor(before: readonly SqlValue[] = []) {
    this.parameters = [...before]
  }

  /** `?` in the term stands for the value; each value has one `?`. */
  and(term: string, ...values: readonly SqlValue[]): this {
    let text = term
    for (const value of values) text = text.replace('?', this.add(value))
    this.#terms.push(text)
    return this
  }

  /** Adds a parameter that stands elsewhere in the query, and returns its place. */
  add(value: SqlValue): string {
    this.parameters.push(value)
    return `$${this.parameters.length}`
  }

  get text(): string {
    return this.#terms.join(' AND ')
  }
}

/** A statement takes a limited number of parameters. */
const chunkSize = 500

export async function inChunks<Item, Row>(
  items: readonly Item[],
  ask: (chunk: readonly Item[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let from = 0; from < items.length; from += chunkSize) {
    rows.push(...(await ask(items.slice(from, from + chunkSize))))
  }
  return rows
}
