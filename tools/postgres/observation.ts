import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** A client that does not mind when the server is killed under it. */
export async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  return client
}

export const endOf = (client: pg.Client): Promise<void> =>
  new Promise((resolve) => client.once('end', () => resolve()))

export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
): Promise<Row[]> {
  const client = await connected(url)
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

export const dataFolderOf = async (url: string): Promise<string> =>
  (await query<{ data_directory: string }>(url, 'SHOW data_directory'))[0]!.data_directory

/** The server and all that works for it at the moment. */
export async function processesOf(url: string): Promise<number[]> {
  const lines = readFileSync(join(await dataFolderOf(url), 'postmaster.pid'), 'utf8').split('\n')
  const rows = await query<{ pid: number }>(url, 'SELECT pid FROM pg_stat_activity')
  return [Number(lines[0]), ...rows.map(({ pid }) => pid)]
}

/** Whether the process can still do anything: one that the system only has to clear away can't. */
export function isAlive(pid: number): boolean {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0)
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[6]) & exitingFlag) === 0
  } catch {
    return false
  }
}

/** PF_EXITING of the Linux kernel: past its last instruction, zombies included. */
const exitingFlag = 4
