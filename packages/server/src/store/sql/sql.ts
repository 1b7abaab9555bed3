export type SqlValue = string | number | null | Uint8Array

/**
 * One open transaction. Texts number their parameters `$1`, `$2`, ...; both databases understand
 * the same text wherever this is used.
 */
export interface Sql {
  readonly dialect: 'sqlite' | 'postgres'
  /** The database's time when the transaction began. */
  readonly now: number
  /** The database's time now, which is later where the transaction had to wait. */
  time(): Promise<number>
  all<Row>(text: string, parameters?: readonly SqlValue[]): Promise<Row[]>
  /** Rows that were changed. */
  run(text: string, parameters?: readonly SqlValue[]): Promise<number>
}

/** Locks the rows of a query to the end of the transaction. SQLite has one writer anyway. */
export function forUpdate({ dialect }: Pick<Sql, 'dialect'>, how = ''): string {
  return dialect === 'postgres' ? ` FOR UPDATE ${how}` : ''
}

export async function first<Row>(
  sql: Sql,
  text: string,
  parameters?: readonly SqlValue[],
): Promise<Row | null> {
  return (await sql.all<Row>(text, parameters))[0] ?? null
}
