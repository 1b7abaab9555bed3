import type Database from 'better-sqlite3'
import type { Sql, SqlValue } from '../sql/sql.js'
import { StoreError } from '../store.js'
import type { Reader } from './reader.js'

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
      statement = this.#database.prepare(sqliteText(text))
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

/** As a transaction that changes nothing, in a thread. */
export function readingWith(reader: Reader, now: number, clock: () => number): Sql {
  return {
    dialect: 'sqlite',
    now,
    time: async () => clock(),
    all: async <Row>(text: string, parameters?: readonly SqlValue[]) =>
      (await reader.ask(text, parameters)) as Row[],
    run: async () => {
      throw onlyReads()
    },
  }
}

/** The same where there is no other connection. */
export function readOnly(statements: SqliteStatements, now: number, clock: () => number): Sql {
  const sql = statements.at(now, clock)
  return {
    ...sql,
    all: async (text, parameters) => {
      if (!statements.prepare(text).readonly) throw onlyReads()
      return sql.all(text, parameters)
    },
    run: async () => {
      throw onlyReads()
    },
  }
}

const onlyReads = (): StoreError =>
  new StoreError('broken', 'SQLite: a transaction that reads can change nothing', 'no')

/** Parameters as SQLite numbers them. */
export const sqliteText = (text: string): string => text.replace(/\$(\d+)/g, '?$1')

/** `?1` may stand several times in a text, which better-sqlite3 wants as names. */
export function bound(parameters: readonly SqlValue[]): Record<string, SqlValue> {
  const named: Record<string, SqlValue> = {}
  for (let n = 0; n < parameters.length; n++) named[n + 1] = parameters[n]!
  return named
}
