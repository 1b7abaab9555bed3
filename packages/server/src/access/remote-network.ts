import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The name under which a stranger's failures are counted: his address, or the /64 around it for
 * IPv6, since whoever has one address there has them all.
 */
export function remoteNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const plain = address.split('%')[0]!
  if (!isIPv6(plain)) return plain
  const parsed = ipaddr.IPv6.parse(plain)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
