import type { Target } from './target.js'

/** One HTTP exchange, as asked for. */
export interface ExchangeRequest {
  /** Whose request it is: tenants take turns, and each has a share of the connections. */
  readonly tenantId: string
  readonly method: string
  readonly url: string
  /** What the URL says, if it has been read before. */
  readonly target?: Target | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string | null
  /** Those headers that vouch for the body, as they are without one: redirects may drop it. */
  readonly headersWithoutBody?: () => Readonly<Record<string, string>>
  /** For everything from the call on: waiting for a connection, DNS, connecting, the whole body. */
  readonly timeoutMs: number
  /** A longer body is cut there, and the rest is never read. */
  readonly maxResponseBytes: number
  readonly redirects: 'refuse' | 'follow'
}

export type ExchangeStatus = 'success' | 'failure' | 'timeout' | 'cancelled'

/** What came of it. Whatever the network or the target does ends here and not in an exception. */
export interface ExchangeResult {
  /** `success` for 2xx only. */
  readonly status: ExchangeStatus
  /** Null when no response began. */
  readonly httpStatus: number | null
  /** By lower-case name; values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** What arrived, as it came: neither decompressed nor decoded. */
  readonly body: Uint8Array
  readonly truncated: boolean
  readonly startedAt: number
  readonly endedAt: number
  /** Null when a response arrived whole or truncated, whatever its status was. */
  readonly error: ExchangeError | null
}

export interface ExchangeError {
  readonly code: ExchangeErrorCode
  readonly message: string
}

/** A code never changes its meaning and is never reused; messages may be reworded. */
export const exchangeErrorCodes = {
  url_invalid: 'the URL is not an absolute http or https URL without credentials',
  request_invalid: 'the method, a header or a limit of the request is not valid',
  address_denied: 'the target is, or resolves to, an address that is not allowed',
  dns_failed: 'the name of the host could not be resolved',
  connect_failed: 'no connection could be opened',
  connect_timeout: 'no connection could be opened in time',
  tls_failed: 'the TLS handshake failed or the certificate is not valid',
  connection_reset: 'the connection ended before the response did',
  response_invalid: 'the response is not valid HTTP/1.1 or its headers are too large',
  redirect_refused: 'the response is a redirect that is not to be followed',
  too_many_redirects: 'one redirect more than is followed',
  timeout: 'the exchange took longer than its time limit',
  cancelled: 'the exchange was cancelled',
} as const

export type ExchangeErrorCode = keyof typeof exchangeErrorCodes
