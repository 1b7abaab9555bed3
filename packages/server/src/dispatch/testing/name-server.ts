import { createSocket } from 'node:dgram'
import { Resolver as DnsResolver } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import { isIPv4 } from 'node:net'
import { parseAddress } from '../guard/address.js'
import type { Resolver } from '../resolver.js'

/** The addresses of a name, asked for again with every look-up. */
export type Zone = (name: string) => readonly string[]

export interface NameServer {
  /** Looks names up at this server and nowhere else. */
  readonly resolve: Resolver
  close(): Promise<void>
}

const typeA = 1
const typeAAAA = 28
const headerLength = 12

/** A DNS server on a UDP port of this machine. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    socket.send(answerTo(query, zone), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  const client = new DnsResolver({ timeout: 2_000, tries: 2 })
  client.setServers([`127.0.0.1:${port}`])
  return {
    async resolve(hostname) {
      const four = await client.resolve4(hostname).catch(() => [])
      const six = await client.resolve6(hostname).catch(() => [])
      return [
        ...four.map((address) => ({ address, family: 4 })),
        ...six.map((address) => ({ address, family: 6 })),
      ]
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function answerTo(query: Buffer, zone: Zone): Buffer {
  const { name, type, end } = questionOf(query)
  const wanted = zone(name).filter((text) => isIPv4(text) === (type === typeA))
  const records = type === typeA || type === typeAAAA ? wanted : []
  const header = Buffer.from(query.subarray(0, headerLength))
  header.writeUInt16BE(0x8180, 2)
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
