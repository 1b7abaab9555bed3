import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  type ComposeFile,
  type ComposeService,
  composeFile,
  composeText,
} from '../../../tools/images/compose-file.ts'
import { StartedProgram } from '../../../tools/images/started-program.ts'

const program = fileURLToPath(new URL('../bin/kron.js', import.meta.url))
const server = inject('postgresUrl')

/** Of its own, since the tests of a run share a PostgreSQL. */
const name = `kron_compose_${process.pid}`
const password = '0123456789abcdef'

describe.skipIf(server === null)('the services of compose.yaml, on a PostgreSQL', () => {
  let folder: string
  let admin: pg.Client
  let target: Server
  let compose: ComposeFile
  const programs: StartedProgram[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kron-compose-'))
    admin = new pg.Client(server!)
    await admin.connect()
    for (const statement of statements()) await admin.query(statement)
    target = createServer((_, response) => response.end('ok'))
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    compose = composeFile({
      POSTGRES_PASSWORD: 'not used by kron',
      KRON_DATABASE_PASSWORD: password,
      KRON_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      KRON_ALLOW: `127.0.0.1:${portOf(target)}`,
    })
  })

  afterAll(async () => {
    await Promise.all(programs.map((each) => each.end('SIGKILL')))
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`drop role if exists ${name}`)
    await admin.end()
    target.close()
    rmSync(folder, { recursive: true })
  })

  const own = () => ({ PATH: process.env['PATH']!, HOME: folder })

  /** As the container starts it, but for what belongs to containers: names, ports, folders. */
  function started(service: ComposeService): StartedProgram {
    const words = service
      .command!.map((word) => (word === '/data' ? folder : word))
      .concat('--port', '0')
    const url = new URL(service.environment['KRON_DATABASE']!)
    const { hostname, port } = new URL(server!)
    expect([url.hostname, url.username, url.pathname]).toEqual(['database', 'kron', '/kron'])
    const database = `postgres://${name}:${url.password}@${hostname}:${port}/${name}`
    const env = { ...service.environment, ...own(), KRON_DATABASE: database }
    const each = new StartedProgram(process.execPath, [program, ...words], env)
    programs.push(each)
    return each
  }

  const urlOf = async (each: StartedProgram) => {
    const [, port] = await each.printed(/http:\/\/0\.0\.0\.0:(\d+)(?:\/api\/v1|\n)/)
    return `http://127.0.0.1:${port}`
  }

  it('work together: the API takes a job, and one of two workers calls', async () => {
    const { api, worker, database } = compose.services as Record<string, ComposeService>
    expect(database!.environment['KRON_DATABASE_PASSWORD']).toBe(password)
    const first = started(api!)
    const [key] = await first.printed(/kron_\w{8}_\w+/)
    const apiUrl = await urlOf(first)
    const workers = Array.from({ length: worker!.deploy!.replicas }, () => started(worker!))
    const urls = [apiUrl, ...(await Promise.all(workers.map(urlOf)))]
    const ready = await Promise.all(urls.map((url) => fetch(`${url}/readyz`)))
    expect(ready.map(({ status }) => status)).toEqual([200, 200, 200])

    const env = { ...own(), KRON_SERVER: apiUrl, KRON_KEY: key }
    const kron = (...words: string[]) =>
      new StartedProgram(process.execPath, [program, ...words], env).ended
    const url = `http://127.0.0.1:${portOf(target)}/`
    const create = ['endpoints', 'create', 'sync', '--job', 'shop', '--url', url, '--every', '1h']
    expect(await kron('jobs', 'create', 'shop')).toMatchObject({ code: 0 })
    expect(await kron(...create)).toMatchObject({ code: 0 })
    const run = await kron('run-now', 'sync', '--wait')
    expect(run.output).toContain('success')
    expect(run.code).toBe(0)

    const ends = await Promise.all(programs.map((each) => each.end('SIGTERM')))
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
  })

  it('have a login that row-level security holds for', async () => {
    const { rows } = await admin.query(
      'select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole from pg_roles where rolname = $1',
      [name],
    )
    expect(rows).toEqual([
      { rolsuper: false, rolbypassrls: false, rolcreatedb: false, rolcreaterole: false },
    ])
  })
})

const portOf = (target: Server): number => (target.address() as AddressInfo).port

/** What the script has the image of PostgreSQL do, for our name in place of `kron`. */
function statements(): string[] {
  const [, sql] = /<<'SQL'\n(.*)SQL\n/s.exec(composeText('create-database.sh'))!
  return sql!
    .replaceAll(":'password'", `'${password}'`)
    .replaceAll(/\bkron\b/g, name)
    .split(';')
    .filter((statement) => statement.trim() !== '')
}
