import { createDatabase, dropDatabase } from './databases.ts'
import type { PostgresServer } from './server.ts'

/** A server that somebody else runs: databases can be made on it, its life is not ours. */
export class ExternalServer implements PostgresServer {
  readonly url: string
  readonly #created: string[] = []

  constructor(url: string) {
    this.url = url
  }

  async createDatabase(): Promise<string> {
    const url = await createDatabase(this.url)
    this.#created.push(url)
    return url
  }

  async kill(): Promise<void> {
    throw new Error('the server of DATABASE_URL is not ours to kill: unset DATABASE_URL')
  }

  async restart(): Promise<void> {
    throw new Error('the server of DATABASE_URL is not ours to restart: unset DATABASE_URL')
  }

  /** Leaves the server running, without the databases that were made here. */
  async stop(): Promise<void> {
    for (const url of this.#created.splice(0)) await dropDatabase(this.url, url)
  }
}
