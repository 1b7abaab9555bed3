import { Worker } from 'node:worker_threads'
import type { SqlValue } from '../sql/sql.js'
import { StoreError } from '../store.js'
import type { Asked, Told } from './reader-thread.js'
import { sqliteFailure } from './sqlite-error.js'
import { bound, sqliteText } from './sqlite-sql.js'

interface Waiting {
  readonly resolve: (rows: readonly unknown[]) => void
  readonly reject: (error: Error) => void
}

/** The same file as this one is of: as it was written, or compiled. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const threadFile = new URL(`./reader-thread.${extension}`, import.meta.url)

/** A connection in a thread of its own, which can read and nothing else. */
export class Reader {
  readonly #thread: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #ended: Promise<void>
  #asked = 0
  #failure: StoreError | null = null

  constructor(path: string) {
    this.#thread = new Worker(threadFile, { workerData: { path } })
    // It keeps a process alive only while somebody waits for an answer.
    this.#thread.unref()
    this.#thread.on('message', (told: Told) => this.#answer(told))
    this.#thread.on('error', (error) => this.#fail(unavailable(error.message, error)))
    this.#ended = new Promise((resolve) => {
      this.#thread.once('exit', () => {
        this.#fail(unavailable('the thread that reads has ended'))
        resolve()
      })
    })
  }

  get isBroken(): boolean {
    return this.#failure !== null
  }

  ask(text: string, parameters: readonly SqlValue[] = []): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        reject(this.#failure)
        return
      }
      const id = ++this.#asked
      this.#waiting.set(id, { resolve, reject })
      this.#thread.ref()
      const asked: Asked = { id, text: sqliteText(text), parameters: bound(parameters) }
      this.#thread.postMessage(asked)
    })
  }

  async close(): Promise<void> {
    const asked: Asked = null
    this.#thread.ref()
    this.#thread.postMessage(asked)
    await this.#ended
  }

  #answer(told: Told): void {
    const waiting = this.#waiting.get(told.id)!
    this.#waiting.delete(told.id)
    if (this.#waiting.size === 0) this.#thread.unref()
    if ('rows' in told) waiting.resolve(told.rows)
    else waiting.reject(sqliteFailure(told.code, told.message))
  }

  #fail(failure: StoreError): void {
    this.#failure ??= failure
    for (const { reject } of this.#waiting.values()) reject(this.#failure)
    this.#waiting.clear()
  }
}

const unavailable = (message: string, cause?: unknown): StoreError =>
  new StoreError('unavailable', `SQLite: ${message}`, 'no', { cause })
