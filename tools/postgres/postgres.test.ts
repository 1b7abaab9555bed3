import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startEmbeddedPostgres } from './embedded-server.ts'
import { connected, endOf, isAlive, processesOf, query } from './observation.ts'
import type { PostgresServer } from './server.ts'
import { postgresUnavailable, startPostgres } from './start.ts'

let server: PostgresServer

beforeAll(async () => {
  server = await startEmbeddedPostgres()
})

afterAll(() => server.stop())

it('is version 18, durable, in UTF-8 with byte order, and not open to the network', async () => {
  const [row] = await query(
    await server.createDatabase(),
    `SELECT current_setting('server_version_num')::int / 10000 AS version,
       current_setting('fsync') AS fsync,
       current_setting('listen_addresses') AS addresses,
       current_setting('unix_socket_directories') AS sockets,
       current_setting('server_encoding') AS encoding,
       current_setting('TimeZone') AS zone,
       'Z' < 'a' AS has_byte_order`,
  )
  expect(row).toEqual({
    version: 18,
    fsync: 'on',
    addresses: '127.0.0.1',
    sockets: '',
    encoding: 'UTF8',
    zone: 'UTC',
    has_byte_order: true,
  })
})

it('makes databases that know nothing of each other', async () => {
  const [first, second] = await Promise.all([server.createDatabase(), server.createDatabase()])
  await query(first, 'CREATE TABLE note (text text)')
  expect(await query(second, `SELECT to_regclass('note') AS found`)).toEqual([{ found: null }])
  expect(await query(first, 'SELECT * FROM note')).toEqual([])
})

it('keeps what was committed, and nothing else, when it is killed and started again', async () => {
  const url = await server.createDatabase()
  await query(url, 'CREATE TABLE note (text text)')
  await query(url, `INSERT INTO note VALUES ('committed')`)
  const client = await connected(url)
  await client.query('BEGIN')
  await client.query(`INSERT INTO note VALUES ('not committed')`)
  await server.kill()
  await server.restart()
  expect(await query(url, 'SELECT * FROM note')).toEqual([{ text: 'committed' }])
})

it('kills busy connections too, before it says that nothing lives', async () => {
  const client = await connected(await server.createDatabase())
  const ended = endOf(client)
  const busy = client.query('SELECT count(*) FROM (SELECT generate_series(1, 10000000000)) AS rows')
  const broken = expect(busy).rejects.toThrow(/terminated unexpectedly|ECONNRESET/)
  const processes = await processesOf(server.url)
  await server.kill()
  expect(processes.filter(isAlive)).toEqual([])
  await broken
  await ended
  await server.restart()
})

it('is left alone when DATABASE_URL names it, but for the databases that were made', async () => {
  vi.stubEnv('DATABASE_URL', server.url)
  try {
    expect(postgresUnavailable()).toBe(null)
    const external = await startPostgres()
    expect(external.url).toBe(server.url)
    const url = await external.createDatabase()
    const name = new URL(url).pathname.slice(1)
    const countOfOurs = `SELECT count(*)::int FROM pg_database WHERE datname = '${name}'`
    expect(await query(server.url, countOfOurs)).toEqual([{ count: 1 }])
    await expect(external.kill()).rejects.toThrow('not ours to kill')
    await expect(external.restart()).rejects.toThrow('not ours to restart')
    await external.stop()
    expect(await query(server.url, countOfOurs)).toEqual([{ count: 0 }])
  } finally {
    vi.unstubAllEnvs()
  }
})
