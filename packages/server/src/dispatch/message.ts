import { quote } from '@kron/core'
import type { ExchangeRequest } from './exchange.js'
import { ExchangeFailure } from './exchange-failure.js'
import { parseTarget, type Target } from './target.js'

/** A request that is ready to be written. */
export interface Message {
  readonly target: Target
  readonly method: string
  /** Names and values in turn, in the spelling they were given in. */
  readonly headers: readonly string[]
  readonly body: Uint8Array | string | null
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const notInAValue = /[^\t\x20-\x7e\x80-\xff]/
const notAMethodOfOurs: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

export function prepareMessage(
  request: ExchangeRequest,
  userAgent: string,
): Message | ExchangeFailure {
  const { method, body } = request
  if (!token.test(method) || notAMethodOfOurs.has(method.toUpperCase())) {
    return invalid(`${quote(method)} is not a method that can be sent`)
  }
  const target = request.target ?? parseTarget(request.url)
  if (target instanceof ExchangeFailure) return target
  const headers = prepareHeaders(request.headers, userAgent)
  if (headers instanceof ExchangeFailure) return headers
  return { target, method, headers, body }
}

function prepareHeaders(
  given: Readonly<Record<string, string>>,
  userAgent: string,
): string[] | ExchangeFailure {
  const headers: string[] = []
  let namesAgent = false
  let namesEncoding = false
  for (const name of Object.keys(given)) {
    const value = given[name]!
    const lowerCase = name.toLowerCase()
    if (!token.test(name)) return invalid(`${quote(name)} is not the name of a header`)
    if (framingHeaders.has(lowerCase)) {
      return invalid(`the header ${lowerCase} is set by the dispatcher and can't be given`)
    }
    if (typeof value !== 'string' || notInAValue.test(value)) {
      return invalid(`the value of header ${lowerCase} has characters that no header may have`)
    }
    if (lowerCase === 'user-agent') namesAgent = true
    else if (lowerCase === 'accept-encoding') namesEncoding = true
    headers.push(name, value)
  }
  if (!namesAgent) headers.push('user-agent', userAgent)
  // What comes back is stored as it came, so it had better be readable.
  if (!namesEncoding) headers.push('accept-encoding', 'identity')
  return headers
}

const invalid = (reason: string): ExchangeFailure => new ExchangeFailure('request_invalid', reason)

/**
 * Names in lower case. They frame the message or belong to the connection, and are set by the
 * dispatcher alone: a second opinion on them splits requests.
 */
export const framingHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
