import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, giveFolderTo, serverAccount } from './account.ts'
import { type Binaries, prepareBinaries } from './binaries.ts'
import { createCluster, superuser } from './cluster.ts'
import { createDatabase } from './databases.ts'
import { findFreePort } from './free-port.ts'
import { GuardedServer } from './guarded-server.ts'
import type { PostgresOptions, PostgresServer } from './server.ts'

const portAttempts = 5

const quickAndForgetful = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

function settingsFor({ settings = {}, durable = true }: PostgresOptions, port: number): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable ? {} : quickAndForgetful),
    ...settings,
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Starts a server of our own, with a data folder that is removed in the end. */
export async function startEmbeddedPostgres(
  options: PostgresOptions = {},
): Promise<PostgresServer> {
  const account = serverAccount()
  const folder = mkdtempSync(join(options.parentFolder ?? tmpdir(), 'kron-postgres-'))
  try {
    giveFolderTo(account, folder)
    const binaries = prepareBinaries(account, folder)
    const data = join(folder, 'data')
    await createCluster(binaries, data, folder, account)
    return await startOnFreePort({ binaries, account, folder, data, options })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    throw error
  }
}

interface Installation {
  readonly binaries: Binaries
  readonly account: Account
  readonly folder: string
  readonly data: string
  readonly options: PostgresOptions
}

async function startOnFreePort(installation: Installation): Promise<EmbeddedServer> {
  for (let attempt = 1; ; attempt++) {
    const server = new EmbeddedServer(installation, await findFreePort())
    try {
      await server.start()
      return server
    } catch (error) {
      const isTaken = /could not bind|Address already in use/.test((error as Error).message)
      if (!isTaken || attempt === portAttempts) throw error
    }
  }
}

class EmbeddedServer implements PostgresServer {
  readonly url: string
  readonly #installation: Installation
  readonly #port: number
  #life: GuardedServer | null = null
  #stopped: Promise<void> | null = null

  constructor(installation: Installation, port: number) {
    this.#installation = installation
    this.#port = port
    this.url = `postgres://${superuser}@127.0.0.1:${port}/postgres`
  }

  async start(): Promise<void> {
    const { binaries, account, folder, data, options } = this.#installation
    const args = ['-D', data, ...settingsFor(options, this.#port)]
    const life = new GuardedServer({ command: binaries.postgres, args, account, folder })
    try {
      await life.ready()
    } catch (error) {
      await life.end('kill')
      throw error
    }
    this.#life = life
  }

  createDatabase(): Promise<string> {
    return createDatabase(this.url)
  }

  async kill(): Promise<void> {
    await this.#life?.end('kill')
  }

  async restart(): Promise<void> {
    if (this.#stopped !== null) throw new Error('PostgreSQL was stopped and its folder is gone')
    await this.#life?.end('stop')
    await this.start()
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#shutDown()
    return this.#stopped
  }

  async #shutDown(): Promise<void> {
    try {
      // Only a start and an orderly end give back the shared memory of a server that was killed.
      if (this.#life?.isEnded) await this.start()
      await this.#life?.end('stop')
    } finally {
      rmSync(this.#installation.folder, { recursive: true, force: true, maxRetries: 10 })
    }
  }
}
