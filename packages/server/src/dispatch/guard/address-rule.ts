import { ConfigurationError, quote } from '@kron/core'
import { type Address, type AddressRange, inRange, isBlock, parseRange } from './address.js'

/** An entry of an operator's list: a range, and the one port it is about if it names one. */
export interface AddressRule extends AddressRange {
  readonly port: number | null
}

const form = 'an address or CIDR block, with :port after it or after [ ] around IPv6'
const blockForm = 'blocks by their first address, and single hosts without a prefix length'

// A lone colon belongs to a port; two or more to an IPv6 address without one.
const withBrackets = /^\[([^[\]]+)\](?::(\d{1,5}))?$/
const withPort = /^([^:[\]]+):(\d{1,5})$/

/**
 * Reads `10.0.1.0/24`, `10.0.0.1:321`, `fd00::/8` or `[::1]:8080`. Names of hosts are refused:
 * the owner of a name's DNS would decide what it allows.
 */
export function parseAddressRule(text: string, field: string): AddressRule {
  const match = withBrackets.exec(text) ?? withPort.exec(text)
  const range = parseRange(match?.[1] ?? text)
  const port = match?.[2] === undefined ? null : Number(match[2])
  const bracketsFit = !text.startsWith('[') || range?.start.length === 16
  if (range === null || !bracketsFit || (port !== null && (port < 1 || port > 65_535))) {
    throw invalid(field, text, form)
  }
  if (!isBlock(range)) throw invalid(field, text, blockForm)
  return { ...range, port }
}

function invalid(field: string, text: string, allowed: string): ConfigurationError {
  const message = `${field} must hold ${allowed}, got ${quote(text)}`
  return new ConfigurationError('KRON_FIELD_INVALID', message, { field, value: text, allowed })
}

export function ruleMatches(rule: AddressRule, address: Address, port: number): boolean {
  return (rule.port === null || rule.port === port) && inRange(address, rule)
}
