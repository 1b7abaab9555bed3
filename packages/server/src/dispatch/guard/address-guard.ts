import { type Address, parseAddress } from './address.js'
import { type AddressRule, parseAddressRule, ruleMatches } from './address-rule.js'
import { specialRangeOf } from './special-ranges.js'

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
 * such a form as a whole, as networks with DNS64 need for `64:ff9b::/96`, opens the way but not
 * what lies behind it: the IPv4 address is judged on its own.
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
  const embedded = special === undefined ? null : embeddedAddress(address, special.embeddedAt)
  const matches = (rule: AddressRule): boolean => ruleMatches(rule, address, port)
  const matchesEmbedded = (rule: AddressRule): boolean =>
    embedded !== null && ruleMatches(rule, embedded, port)
  if (deny.some((rule) => matches(rule) || matchesEmbedded(rule))) return denied('deny list')
  if (special === undefined) return allowed
  const naming = allow.filter(matches)
  if (naming.length === 0) return denied(special.reason)
  const namesHost = naming.some((rule) => rule.prefixLength > special.prefixLength)
  if (embedded === null || namesHost) return allowed
  return judge(embedded, port, allow, deny)
}

function embeddedAddress(address: Address, at: number | null): Address | null {
  return at === null ? null : address.slice(at, at + 4)
}
