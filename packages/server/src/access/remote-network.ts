import { isIPv4, isIPv6 } from 'node:net'
import { inRange, parseAddress, parseRange } from '../dispatch/guard/address.js'

const mapped = parseRange('::ffff:0:0/96')!

/**
 * The name under which a stranger's failures are counted: his address, or the /64 around it for
 * IPv6, since a client with one address there has them all.
 */
export function remoteNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const plain = address.split('%')[0]!
  if (!isIPv6(plain)) return plain
  // An old form in which some systems name IPv4 clients.
  if (plain.startsWith('::') && isIPv4(plain.slice(2))) return plain.slice(2)
  const bytes = parseAddress(plain)!
  if (inRange(bytes, mapped)) return bytes.slice(12).join('.')
  const groups = [0, 2, 4, 6].map((at) => ((bytes[at]! << 8) | bytes[at + 1]!).toString(16))
  return `${groups.join(':')}::/64`
}
