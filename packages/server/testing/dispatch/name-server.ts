import { createSocket } from 'node:dgram'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { isIPv4 } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAddress } from '../../src/dispatch/guard/address.js'
import { type NameFiles, type Resolver, SystemNames } from '../../src/dispatch/names/index.js'

/** A name server that never answers. */
export const silent = 'silent'

/** The addresses of a name, asked for again with every look-up. */
export type Zone = (name: string) => readonly string[] | typeof silent | 'no such name'

export interface NameServer {
  /** Of a machine that asks this server and no other. */
  readonly files: NameFiles
  readonly resolve: Resolver
  /** Names that were asked for, in order, each once for a family. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

export interface Machine {
  readonly hosts?: string
  /** Lines of resolv.conf below that of the server. */
  readonly options?: string
}

const typeA = 1
const typeAAAA = 28
const headerLength = 12
const noError = 0x8180
const noSuchName = 0x8183

/** A DNS server on a UDP port of this machine. */
export async function startNameServer(
  zone: Zone,
  { hosts = '', options = '' }: Machine = {},
): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const { name } = questionOf(query)
    asked.push(name)
    const found = zone(name)
    if (found !== silent) socket.send(answerTo(query, found), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  const folder = await mkdtemp(join(tmpdir(), 'kron-names-'))
  const files = { hosts: join(folder, 'hosts'), resolvConf: join(folder, 'resolv.conf') }
  await writeFile(files.hosts, hosts)
  await writeFile(files.resolvConf, `nameserver 127.0.0.1:${port}\n${options}\n`)
  const names = new SystemNames(Date.now, files)
  return {
    files,
    resolve: names.resolve,
    asked,
    close: async () => {
      names.close()
      await new Promise<void>((resolve) => socket.close(() => resolve()))
      await rm(folder, { recursive: true })
    },
  }
}

function answerTo(query: Buffer, found: Exclude<ReturnType<Zone>, typeof silent>): Buffer {
  const { type, end } = questionOf(query)
  const known = found === 'no such name' ? [] : found
  const wanted = known.filter((text) => isIPv4(text) === (type === typeA))
  const records = type === typeA || type === typeAAAA ? wanted : []
  const header = Buffer.from(query.subarray(0, headerLength))
  header.writeUInt16BE(found === 'no such name' ? noSuchName : noError, 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  const answers = records.map((text) => recordOf(type, parseAddress(text)!))
  return Buffer.concat([header, query.subarray(headerLength, end), ...answers])
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = headerLength
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function recordOf(type: number, address: readonly number[]): Buffer {
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(type, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(address.length, 10)
  return Buffer.concat([record, Buffer.from(address)])
}
