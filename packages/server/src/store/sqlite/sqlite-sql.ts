import type Database from 'better-sqlite3'
import type { Sql, SqlValue } from '../sql/sql.js'

/** Statements by their text: each is prepared once. */
export class SqliteStatements {
  readonly #database: Database.Database
  readonly #prepared = new Map<string, Database.Statement<unknown[]>>()

  constructor(database: Database.Database) {
    this.#database = database
  }

  prepare(text: string): Database.Statement<unknown[]> {
    let statement = this.#prepared.get(text)
    if (statement === undefined) {
      statement = this.#database.prepare(text.replace(/\$(\d+)/g, '?$1'))
      this.#prepared.set(text, statement)
    }
    return statement
  }

  all<Row>(text: string, parameters: readonly SqlValue[] = []): Row[] {
    return this.prepare(text).all(bound(parameters)) as Row[]
  }

  run(text: string, parameters: readonly SqlValue[] = []): number {
    const statement = this.prepare(text)
    if (statement.reader) return statement.all(bound(parameters)).length
    return statement.run(bound(parameters)).changes
  }

  /** As a transaction that was begun at this time. */
  at(now: number, clock: () => number): Sql {
    return {
      dialect: 'sqlite',
      now,
      time: async () => clock(),
      all: async <Row>(text: string, parameters?: readonly SqlValue[]) =>
        this.all<Row>(text, parameters),
      run: async (text, parameters) => this.run(text, parameters),
    }
  }
}

/** `?1` may stand several times in a text, which better-sqlite3 wants as names. */
function bound(parameters: readonly SqlValue[]): Record<string, SqlValue> {
  const named: Record<string, SqlValue> = {}
  for (let n = 0; n < parameters.length; n++) named[n + 1] = parameters[n]!
  return named
}
