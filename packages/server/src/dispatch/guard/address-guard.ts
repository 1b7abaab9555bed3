import { type Address, parseAddress } from './address.js'
import { type AddressRule, parseAddressRule, ruleMatches } from './address-rule.js'
import { type EmbeddedAt, specialRangeOf } from './special-ranges.js'

export type AddressVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string }

/** Which addresses requests may go to. It judges addresses only; names are for a resolver. */
export interface AddressGuard {
  check(address: string, port: number): AddressVerdict
}

export interface AddressGuardOptions {
  /** Addresses and CIDR blocks, with or without a port, that are allowed though not public. */
  readonly allow?: readonly string[]
  /** The same for what is never allowed; it wins over `allow`. */
  readonly deny?: readonly string[]
}

const allowed: AddressVerdict = Object.freeze({ allowed: true })
const denied = (reason: string): AddressVerdict => ({ allowed: false, reason })

/**
 * Public hosts are allowed, everything else is denied unless the operator's list names it.
 *
 * An IPv6 address that leads on to an IPv4 host (mapped, NAT64, 6to4) is denied too, even where
 * that host is public or on the list: the list has to name the IPv6 form itself. A list that names
 * a block of such a form, as networks with DNS64 need for `64:ff9b::/96`, opens the way but not
 * what lies behind it: the IPv4 address is judged on its own, unless the list names it to the last
 * bit.
 */
export function createAddressGuard(options: AddressGuardOptions = {}): AddressGuard {
  const allow = (options.allow ?? []).map((text) => parseAddressRule(text, 'allow'))
  const deny = (options.deny ?? []).map((text) => parseAddressRule(text, 'deny'))
  return {
    check(text, port) {
      const address = parseAddress(text)
      if (address === null) return denied('not an IP address')
      if (!Number.isInteger(port) || port < 1 || port > 65_535) return denied('not a port')
      return judge(address, port, allow, deny)
    },
  }
}

function judge(
  address: Address,
  port: number,
  allow: readonly AddressRule[],
  deny: readonly AddressRule[],
): AddressVerdict {
  const special = specialRangeOf(address)
  const embeddedAt = special?.embeddedAt ?? []
  const hosts = hostsWithin(address, embeddedAt)
  const matches = (rule: AddressRule): boolean => ruleMatches(rule, address, port)
  const matchesHost = (rule: AddressRule): boolean =>
    hosts.some((host) => ruleMatches(rule, host, port))
  if (deny.some((rule) => matches(rule) || matchesHost(rule))) return denied('deny list')
  if (special === undefined) return allowed
  const naming = allow.filter(matches)
  if (naming.length === 0) return denied(special.reason)
  const unnamed = embeddedAt.filter((at) => !naming.some((rule) => namesHost(rule, at)))
  for (const host of hostsWithin(address, unnamed)) {
    const verdict = judge(host, port, allow, deny)
    if (!verdict.allowed) return verdict
  }
  return allowed
}

/** Whether a rule spells out the whole address of the IPv4 host, and not only some of its bits. */
function namesHost({ prefixLength }: AddressRule, at: EmbeddedAt): boolean {
  return prefixLength >= (Math.max(...at) + 1) * 8
}

/**
 * The IPv4 hosts that an address may lead on to. Of several places where one may lie, those that
 * hold no host (0.0.0.0/8) are the padding of another, unless all of them are.
 */
function hostsWithin(address: Address, embeddedAt: readonly EmbeddedAt[]): readonly Address[] {
  const hosts = embeddedAt.map((at) => at.map((index) => address[index]!))
  const filled = hosts.filter(([first]) => first !== 0)
  return filled.length > 0 ? filled : hosts
}

/** Of ranges that people have services of their own in. How to open others they have to know. */
const local: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'unique local',
  'carrier-grade NAT',
])

/** Whether an address that was denied for this reason is one that operators usually may allow. */
export const isLocalReason = (reason: string): boolean => local.has(reason)

/** What an operator does so that this address is called, as the rest of a sentence. */
export function allowRemedy(reason: string, address: string, port: number): string {
  const host = address.includes(':') ? `[${address}]` : address
  const options = [...(reason === 'loopback' ? ['--allow-local'] : []), `--allow ${host}:${port}`]
  return `the operator of this server can allow it: kron serve ${options.join(' or ')}`
}
