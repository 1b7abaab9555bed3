import { BlockList, isIP, isIPv4 } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true
  return isIP(host) !== 0 && loopback.check(host, isIPv4(host) ? 'ipv4' : 'ipv6')
}

/**
 * Whether a request with this Host header is meant for us. A web page can have its own name lead
 * to 127.0.0.1 and then read what it gets from there; but the header still has that name.
 */
export function isAllowedHost(header: string | undefined): boolean {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:]+))(?::\d{1,5})?$/i.exec(header ?? '')
  return match !== null && isLoopback(match[1] ?? match[2] ?? '')
}
