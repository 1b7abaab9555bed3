import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MetricRegistry, systemClock } from '@kron/runtime'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { createDatabase, dropDatabase } from '../../../tools/postgres/index.ts'
import { createOperatorApp } from '../src/api/index.js'
import { openPostgresStore } from '../src/store/postgres/postgres-store.js'
import { silentLog } from '../testing/silent-log.js'

const program = fileURLToPath(new URL('../bin/kron.js', import.meta.url))
const server = inject('postgresUrl')

/** In blocks of sh: no file of the process may become larger, as on a disk that is full. */
const fileBlocks = 4_096

describe.skipIf(process.platform === 'win32')('a server whose disk is full', () => {
  let folder: string
  let child: ChildProcess

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kron-full-'))
  })
  afterEach(async () => {
    const ended = new Promise((resolve) => child.once('close', resolve))
    // It would wait for the disk: what it has done is still to be recorded.
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true })
  })

  async function started(): Promise<{ url: string; key: string }> {
    const command = `ulimit -f ${fileBlocks}; exec "$0" "$@"`
    const words = ['serve', '--data', folder, '--port', '0', '--role', 'api']
    child = spawn('sh', ['-c', command, process.execPath, program, ...words], {
      env: { PATH: process.env['PATH'], HOME: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let text = ''
    for await (const piece of child.stdout!.setEncoding('utf8')) {
      text += piece
      const url = /API {3}(\S+)\/api\/v1/.exec(text)?.[1]
      if (url === undefined || !text.includes('whsec_')) continue
      return { url, key: (await readFile(join(folder, '.config/kron/key'), 'utf8')).trim() }
    }
    throw new Error(`kron serve ended: ${text}`)
  }

  it('lives, and is not ready', async () => {
    const { url, key } = await started()
    const status = async (path: string) => (await fetch(`${url}${path}`)).status
    expect(await status('/readyz')).toBe(200)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const write = async (name: string): Promise<number> => {
      const body = JSON.stringify({ name, description: 'x'.repeat(900) })
      return (await fetch(`${url}/api/v1/jobs`, { method: 'POST', headers, body })).status
    }
    let written = 201
    for (let n = 0; written === 201; n++) written = await write(`job ${n}`)
    expect(written).toBe(503)
    await vi.waitFor(async () => expect(await status('/readyz')).toBe(503), { timeout: 10_000 })
    expect(await status('/healthz')).toBe(200)
    expect((await fetch(`${url}/api/v1/jobs`, { headers })).status).toBe(200)
  })
})

describe.runIf(server !== null)('a server whose PostgreSQL takes no writes', () => {
  it('is not ready, until it takes them again', async () => {
    const url = await createDatabase(server!)
    const store = openPostgresStore({ url })
    await store.migrate()
    const admin = new pg.Client(url)
    await admin.connect()
    const clock = systemClock()
    const log = silentLog(clock)
    const ready = async (): Promise<number> => {
      const app = createOperatorApp({ store, clock, log, metrics: new MetricRegistry() })
      return (await app.request('/readyz')).status
    }
    const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
      const [{ name }] = (await admin.query('SELECT current_database() AS name')).rows
      await admin.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}`)
      await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`)
    }
    expect(await ready()).toBe(200)
    await setReadOnly('on')
    await vi.waitFor(async () => expect(await ready()).toBe(503))
    expect(await ready()).toBe(503)
    await setReadOnly('off')
    await vi.waitFor(async () => expect(await ready()).toBe(200))
    await store.close()
    await admin.end()
    await dropDatabase(server!, url)
  })
})
