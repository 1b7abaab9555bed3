import { isIP } from 'node:net'

/** The bytes of an IP address, four or sixteen of them. */
export type Address = readonly number[]

/**
 * Only the plain notation is an address: `0x7f.1`, `010.0.0.1` and `fe80::1%eth0` mean different
 * things to different programs, so they mean nothing here. Node.js says what is well-formed, by
 * the same rules by which it connects.
 */
export function parseAddress(text: string): Address | null {
  const family = isIP(text)
  if (family === 0 || text.includes('%')) return null
  return family === 4 ? text.split('.').map(Number) : ipv6Bytes(text)
}

function ipv6Bytes(text: string): number[] {
  const [head, tail] = text.split('::') as [string, string?]
  const front = groupBytes(head)
  const back = groupBytes(tail ?? '')
  return [...front, ...new Array<number>(16 - front.length - back.length).fill(0), ...back]
}

/** The last group may be written as an IPv4 address. */
function groupBytes(groups: string): number[] {
  if (groups === '') return []
  return groups.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

export function sameAddress(one: Address, other: Address): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

/** Addresses of one family that begin with the same bits. */
export interface AddressRange {
  readonly start: Address
  readonly prefixLength: number
}

/** An address or a CIDR block; null when it is neither. */
export function parseRange(text: string): AddressRange | null {
  const [address, prefix, ...rest] = text.split('/')
  const start = parseAddress(address!)
  if (start === null || rest.length > 0) return null
  if (prefix === undefined) return { start, prefixLength: start.length * 8 }
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > start.length * 8) return null
  return { start, prefixLength: Number(prefix) }
}

/** Whether it is written as its first address; `10.0.0.5/8` may be meant as that one host. */
export function isBlock({ start, prefixLength }: AddressRange): boolean {
  return start.every((byte, index) => {
    const bitsOfPrefix = Math.min(Math.max(prefixLength - index * 8, 0), 8)
    return (byte & (0xff >> bitsOfPrefix)) === 0
  })
}

export function inRange(address: Address, { start, prefixLength }: AddressRange): boolean {
  if (address.length !== start.length) return false
  const wholeBytes = prefixLength >> 3
  for (let index = 0; index < wholeBytes; index++) {
    if (address[index] !== start[index]) return false
  }
  const restBits = prefixLength & 7
  if (restBits === 0) return true
  return (address[wholeBytes]! ^ start[wholeBytes]!) >> (8 - restBits) === 0
}
