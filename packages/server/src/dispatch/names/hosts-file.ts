import { isIP } from 'node:net'
import type { ResolvedAddress } from './resolver.js'

export type HostsFile = ReadonlyMap<string, readonly ResolvedAddress[]>

/** Lines of an address and the names it has; a name may stand in several. */
export function parseHostsFile(text: string): HostsFile {
  const hosts = new Map<string, ResolvedAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.split('#', 1)[0]!.trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names.map(plainName)) {
      const known = hosts.get(name) ?? []
      if (known.some((each) => each.address === address)) continue
      hosts.set(name, [...known, { address, family }])
    }
  }
  return hosts
}

/** As names are compared: without the root's dot, whatever their case. */
export const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '')

export const loopbackAddresses: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Beside `localhost` and what is below it (RFC 6761), names that hosts files usually have. */
const aliases: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'ip6-localhost',
  'ip6-loopback',
])

/** Whether a name means the machine itself, on every machine. */
export function isLoopbackName(hostname: string): boolean {
  const name = plainName(hostname)
  return aliases.has(name) || name.endsWith('.localhost')
}
