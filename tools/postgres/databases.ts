import { randomUUID } from 'node:crypto'
import pg from 'pg'

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The url of a new, empty database on the server of this url. */
export async function createDatabase(serverUrl: string): Promise<string> {
  const name = `kron_${randomUUID().replaceAll('-', '')}`
  await withClient(serverUrl, (client) =>
    // Byte order in every database, on a server with another locale as well.
    client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`),
  )
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Also when somebody is still connected to it. */
export async function dropDatabase(serverUrl: string, databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1)
  if (!/^kron_[0-9a-f]{32}$/.test(name)) throw new Error(`not a database of ours: ${name}`)
  await withClient(serverUrl, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  )
}
