import { isIP } from 'node:net'
import {
  type AddressGuard,
  allowRemedy,
  isLocalReason,
  isLoopbackName,
  loopbackAddresses,
} from '../../dispatch/index.js'
import type { FieldError } from '../service-error.js'
import { checkTemplate, otherSampleOf, sampleOf } from './check-template.js'

/**
 * What can be said about a URL before it is called. Names are resolved and judged when a run is
 * sent, not here: what a name resolves to now says nothing about then. Only those that mean the
 * machine itself, such as `localhost`, resolve to the same everywhere.
 */
export function checkUrl(text: string, guard: AddressGuard): readonly FieldError[] {
  const inTemplate = checkTemplate('url', text, 'url')
  if (inTemplate.length > 0) return inTemplate
  const url = URL.parse(sampleOf(text, 'url'))
  if (url === null) return [flaw('url_invalid', 'url must be an absolute URL')]
  if (url.origin !== URL.parse(otherSampleOf(text, 'url'))?.origin) {
    return [flaw('url_invalid', 'url must have its placeholders after the host')]
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return [flaw('url_scheme', 'url must begin with http: or https:')]
  }
  if (url.username !== '' || url.password !== '') {
    return [flaw('url_credentials', 'url must not hold credentials; use an Authorization header')]
  }
  return checkAddress(url, guard)
}

/** The parser has brought every notation of an address into one, such as 0x7f.1 into 127.0.0.1. */
function checkAddress(url: URL, guard: AddressGuard): readonly FieldError[] {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  const addresses = addressesOf(host)
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const denied: string[] = []
  for (const address of addresses) {
    const verdict = guard.check(address, port)
    if (verdict.allowed) return []
    const { reason } = verdict
    denied.push(isLocalReason(reason) ? `${reason}; ${allowRemedy(reason, address, port)}` : reason)
  }
  if (denied.length === 0) return []
  return [flaw('address_denied', `url leads to ${host}, which is not allowed: ${denied[0]}`)]
}

/** Of a literal or of a name that means the machine itself; of others nothing is known here. */
function addressesOf(host: string): readonly string[] {
  if (isIP(host) !== 0) return [host]
  return isLoopbackName(host) ? loopbackAddresses.map(({ address }) => address) : []
}

const flaw = (code: string, message: string): FieldError => ({ field: 'url', code, message })
