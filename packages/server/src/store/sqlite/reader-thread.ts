// Loaded as a thread, and as it is: nothing of ours may be imported here.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

/** A statement for the thread, or null: close everything and end. */
export type Asked = {
  readonly id: number
  readonly text: string
  readonly parameters: Readonly<Record<string, unknown>>
} | null

export type Told =
  | { readonly id: number; readonly rows: readonly unknown[] }
  | { readonly id: number; readonly code: string; readonly message: string }

const maxPrepared = 500

const port = parentPort!
const database = new Database((workerData as { path: string }).path, {
  readonly: true,
  fileMustExist: true,
})
const prepared = new Map<string, Database.Statement<unknown[]>>()

port.on('message', (asked: Asked) => {
  if (asked === null) {
    database.close()
    port.close()
  } else port.postMessage(answerTo(asked))
})

function answerTo({ id, text, parameters }: NonNullable<Asked>): Told {
  try {
    const statement = prepare(text)
    if (statement.reader) return { id, rows: statement.all(parameters) }
    statement.run(parameters)
    return { id, rows: [] }
  } catch (error) {
    const { code = 'unknown', message = String(error) } = error as { code?: string } & Error
    return { id, code, message }
  }
}

function prepare(text: string): Database.Statement<unknown[]> {
  const known = prepared.get(text)
  if (known !== undefined) return known
  if (prepared.size >= maxPrepared) prepared.clear()
  const statement = database.prepare<unknown[]>(text)
  prepared.set(text, statement)
  return statement
}
