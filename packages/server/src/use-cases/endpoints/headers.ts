import { framingHeaders } from '../../dispatch/index.js'
import type { Call } from '../call.js'
import { type FieldError, invalidFields } from '../refusal.js'
import { checkTemplate } from './request-checks.js'

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
    return [{ field, code: 'header_reserved', message: `${field} is set by the dispatcher` }]
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
