import { type Address, type AddressRange, inRange, parseRange } from './address.js'

/** Which bytes of an IPv6 address are those of an IPv4 host that it leads on to. */
export type EmbeddedAt = readonly [number, number, number, number]

interface ListedRange extends AddressRange {
  /** Why it is not part of the public internet; null where it is. */
  readonly reason: string | null
  /** Where an IPv4 host may lie within it, for ranges that lead on to one. */
  readonly embeddedAt: readonly EmbeddedAt[]
}

/** Addresses that are not hosts of the public internet, and why. */
export interface SpecialRange extends ListedRange {
  readonly reason: string
}

const last: EmbeddedAt = [12, 13, 14, 15]
const of6to4: EmbeddedAt = [2, 3, 4, 5]

/**
 * Behind a prefix of 48, 56, 64 or 96 bits, by RFC 6052; byte 8 is left out. Which of them a network
 * uses for its own NAT64 can't be told from an address.
 */
const ofLocalNat64: readonly EmbeddedAt[] = [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], last]

type Listed = [cidr: string, reason: string | null, embeddedAt?: readonly EmbeddedAt[]]

/**
 * The special-purpose registries of IANA, what they have retired, and the space never given out.
 * The first match counts, so a block stands before the larger one that holds it. Of IPv6 that is
 * everything: public is what has been given out, and not whatever nobody has thought of yet.
 */
const table: readonly Listed[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  // Looks public, but it is the host of an Azure machine, which hands out that machine's secrets.
  ['168.63.129.16/32', 'cloud metadata'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'IETF protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', '6to4 relay'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],

  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'IPv4-mapped', [last]],
  ['::ffff:0:0:0/96', 'IPv4-translated', [last]],
  ['::/96', 'IPv4-compatible', [last]],
  ['64:ff9b::/96', 'NAT64', [last]],
  ['64:ff9b:1::/48', 'NAT64', ofLocalNat64],
  // Beside NAT64 and not part of it: Smokescreen, whose verdicts are ours, lets it through.
  ['64:ff9c::/32', null],
  ['100::/64', 'discard-only'],
  ['2001::/32', 'Teredo'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:10::/28', 'ORCHID'],
  ['2001:20::/28', 'ORCHID'],
  ['2001::/23', 'IETF protocol assignments'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4', [of6to4]],
  ['3ffe::/16', 'reserved'],
  ['3fff::/20', 'documentation'],
  ['2000::/3', null],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
  ['::/0', 'reserved'],
]

const listedRanges: readonly ListedRange[] = table.map(([cidr, reason, embeddedAt]) => ({
  ...parseRange(cidr)!,
  reason,
  embeddedAt: embeddedAt ?? [],
}))

export function specialRangeOf(address: Address): SpecialRange | undefined {
  const range = listedRanges.find((candidate) => inRange(address, candidate))
  return range === undefined || !isSpecial(range) ? undefined : range
}

const isSpecial = (range: ListedRange): range is SpecialRange => range.reason !== null

/** Every address of the machine itself, as entries of an operator's list. */
export const loopbackRanges: readonly string[] = table
  .filter(([, reason]) => reason === 'loopback')
  .map(([cidr]) => cidr)
