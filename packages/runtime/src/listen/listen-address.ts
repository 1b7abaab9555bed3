import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { isAbsolute } from 'node:path'
import { ConfigurationError, quote, quotePath } from '@kron/core'

export type ListenAddress =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string }

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

/** Reads `127.0.0.1:9180`, `[::1]:9180`, `localhost:9180` or `unix:/run/krond.sock`. */
export function parseListenAddress(text: string): ListenAddress {
  if (typeof text !== 'string') throw badAddress(text, 'not text')
  if (text.startsWith('unix:')) return unixAddress(text)
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(text)
  if (match === null) throw badAddress(text, 'neither host:port nor unix:/path')
  const [, bracketed, plain, digits] = match
  const port = Number(digits)
  if (port > 65_535) throw badAddress(text, 'ports end at 65535')
  if (bracketed !== undefined) {
    if (!isIPv6(bracketed)) throw badAddress(text, 'not an IPv6 address in brackets')
    return { kind: 'tcp', host: bracketed, port }
  }
  const host = plain ?? ''
  // Without a host it would be every network of the machine, which nobody asked for.
  if (host === '') throw badAddress(text, 'the host is missing, such as 127.0.0.1')
  const numeric = /^[\d.]+$/.test(host)
  if (numeric ? !isIPv4(host) : !hostName.test(host)) throw badAddress(text, 'not a host')
  return { kind: 'tcp', host, port }
}

function unixAddress(text: string): ListenAddress {
  const path = text.slice('unix:'.length)
  if (!isAbsolute(path) || path.includes('\0')) {
    throw badAddress(text, 'the path of a socket must be absolute')
  }
  return { kind: 'unix', path }
}

export function addressText(address: ListenAddress): string {
  if (address.kind === 'unix') return `unix:${address.path}`
  const { host, port } = address
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`
}

function badAddress(text: unknown, why: string): ConfigurationError {
  const allowed = 'an address such as 127.0.0.1:9180, [::1]:9180 or unix:/run/krond.sock'
  const shown = typeof text === 'string' ? quotePath(text) : quote(text)
  const message = `--listen must be ${allowed}, got ${shown}: ${why}`
  return new ConfigurationError('KRON_ARGUMENT_INVALID', message, { field: '--listen' })
}

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
