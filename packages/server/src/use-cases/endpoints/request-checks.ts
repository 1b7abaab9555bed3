import { isIP } from 'node:net'
import { KronError } from '@kron/core'
import {
  type AddressGuard,
  allowRemedy,
  compileTemplate,
  isLocalReason,
  isLoopbackName,
  loopbackAddresses,
  type TemplatePlace,
  type TemplateValues,
} from '../../dispatch/index.js'
import type { Body, EndpointDraft } from '../../domain/index.js'
import type { FieldError } from '../refusal.js'

/**
 * What can be said about a URL before it is called. Names are resolved and judged when a run is
 * sent, not here: what a name resolves to now says nothing about then. Only those that mean the
 * machine itself, such as `localhost`, resolve to the same everywhere.
 */
export function checkUrl(text: string, guard: AddressGuard): readonly FieldError[] {
  const inTemplate = checkTemplate('url', text, 'url')
  if (inTemplate.length > 0) return inTemplate
  const url = URL.parse(sampleOf(text, 'url'))
  if (url === null) return [urlFlaw('url_invalid', 'url must be an absolute URL')]
  if (url.origin !== URL.parse(otherSampleOf(text, 'url'))?.origin) {
    return [urlFlaw('url_invalid', 'url must have its placeholders after the host')]
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return [urlFlaw('url_scheme', 'url must begin with http: or https:')]
  }
  if (url.username !== '' || url.password !== '') {
    return [
      urlFlaw('url_credentials', 'url must not hold credentials; use an Authorization header'),
    ]
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
  return [urlFlaw('address_denied', `url leads to ${host}, which is not allowed: ${denied[0]}`)]
}

/** Of a literal or of a name that means the machine itself; of others nothing is known here. */
function addressesOf(host: string): readonly string[] {
  if (isIP(host) !== 0) return [host]
  return isLoopbackName(host) ? loopbackAddresses.map(({ address }) => address) : []
}

const urlFlaw = (code: string, message: string): FieldError => ({ field: 'url', code, message })

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function checkBody(
  body: Body | null,
  method: EndpointDraft['method'],
): readonly FieldError[] {
  if (body === null) return []
  if (method === 'HEAD') {
    return [{ field: 'body', code: 'field_not_applicable', message: 'HEAD requests have no body' }]
  }
  const { contentType } = body
  const inType =
    contentType === null ? [] : checkTemplate('body.contentType', contentType, 'header')
  return [...inType, ...checkContent(body)]
}

function checkContent({ kind, content }: Body): readonly FieldError[] {
  if (kind === 'binary') {
    return base64.test(content)
      ? []
      : [contentFlaw('base64_invalid', 'must be base 64 with its padding')]
  }
  const inTemplate = checkTemplate('body.content', content, kind)
  if (inTemplate.length > 0 || kind === 'text') return inTemplate
  try {
    JSON.parse(sampleOf(content, 'json'))
    return []
  } catch {
    return [contentFlaw('json_invalid', 'must be JSON once its placeholders are filled in')]
  }
}

const contentFlaw = (code: string, what: string): FieldError => ({
  field: 'body.content',
  code,
  message: `body.content ${what}`,
})

/** What is wrong with the placeholders of a text. */
export function checkTemplate(
  field: string,
  text: string,
  place: TemplatePlace,
): readonly FieldError[] {
  try {
    compileTemplate(text, place, field)
    return []
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    const { position } = error.details
    // A header's text is a secret, so not even a part of it is repeated.
    const message =
      place === 'header' ? `${field} has a placeholder that does not exist` : error.message
    const where = typeof position === 'number' && { position }
    return [{ field, code: 'placeholder_invalid', message, ...where }]
  }
}

const sample: TemplateValues = {
  runId: 'run_0',
  scheduledFor: '2026-01-01T00:00:00Z',
  attempt: 1,
}

const otherSample: TemplateValues = {
  runId: 'run_1',
  scheduledFor: '2027-02-03T04:05:06Z',
  attempt: 2,
}

/** The text as some run would send it. */
export function sampleOf(text: string, place: TemplatePlace): string {
  return compileTemplate(text, place).render(sample)
}

/** As another run would, of which every value is different. */
function otherSampleOf(text: string, place: TemplatePlace): string {
  return compileTemplate(text, place).render(otherSample)
}
