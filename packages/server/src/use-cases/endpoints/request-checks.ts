import { isIP } from 'node:net'
import { KronError } from '@kron/core'
import {
  type AddressGuard,
  allowRemedy,
  compileTemplate,
  framingHeaders,
  isLocalReason,
  isLoopbackName,
  loopbackAddresses,
  type TemplatePlace,
  type TemplateValues,
} from '../../dispatch/index.js'
import type { Body, EndpointDraft } from '../../domain/index.js'
import type { Call } from '../call.js'
import { type FieldError, invalidFields } from '../refusal.js'

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
function checkTemplate(field: string, text: string, place: TemplatePlace): readonly FieldError[] {
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

/** What is shown in place of a value. Sent back, it keeps the value that is stored. */
export const maskedValue = '•••'

export const headerNamePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/
const value = /^[\t\x20-\x7e\x80-\xff]*$/

/** They say which run a request belongs to, and who sent it. */
const reservedPrefix = /^(webhook|kron)-/

type Headers = Readonly<Record<string, string>>

/** Checks header values that were given in the clear, and seals them. */
export function sealHeaders(call: Call, given: Headers, stored: Headers): Headers {
  const errors = Object.entries(given).flatMap(([name, text]) => checkHeader(name, text))
  errors.push(...checkRepeated(given), ...checkMasked(given, stored))
  if (errors.length > 0) throw invalidFields(errors)
  const context = { purpose: 'header', tenantId: call.tenantId } as const
  const sealed = Object.entries(given).map(([name, text]) => [
    name,
    text === maskedValue ? storedValue(stored, name)! : call.vault.seal(text, context),
  ])
  return Object.fromEntries(sealed)
}

function checkHeader(name: string, text: string): readonly FieldError[] {
  const field = `headers.${name}`
  if (!headerNamePattern.test(name)) {
    return [{ field, code: 'header_invalid', message: `${field} is not a name of a header` }]
  }
  const lower = name.toLowerCase()
  if (framingHeaders.has(lower) || reservedPrefix.test(lower)) {
    return [
      { field, code: 'header_reserved', message: `${field} is set by Kron and can not be given` },
    ]
  }
  if (text === maskedValue) return []
  if (!value.test(text)) {
    const message = `${field} has a value with characters that no header can carry`
    return [{ field, code: 'header_invalid', message }]
  }
  return checkTemplate(field, text, 'header')
}

function checkRepeated(given: Headers): readonly FieldError[] {
  const seen = new Set<string>()
  return Object.keys(given).flatMap((name) => {
    const lower = name.toLowerCase()
    if (!seen.has(lower)) {
      seen.add(lower)
      return []
    }
    const field = `headers.${name}`
    return [{ field, code: 'header_repeated', message: `${field} is given twice` }]
  })
}

function checkMasked(given: Headers, stored: Headers): readonly FieldError[] {
  const masked = Object.keys(given).filter((name) => given[name] === maskedValue)
  return masked.flatMap((name) => {
    if (storedValue(stored, name) !== undefined) return []
    const field = `headers.${name}`
    const message = `${field} is ${maskedValue}, which keeps a stored value, but there is none`
    return [{ field, code: 'header_unknown', message }]
  })
}

function storedValue(stored: Headers, name: string): string | undefined {
  const lower = name.toLowerCase()
  const same = Object.keys(stored).find((candidate) => candidate.toLowerCase() === lower)
  return same === undefined ? undefined : stored[same]
}
