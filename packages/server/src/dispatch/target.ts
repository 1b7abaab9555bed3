import { ExchangeFailure } from './exchange-failure.js'

/** Where a request goes, taken from a URL that the URL standard's parser has normalised. */
export interface Target {
  /** Scheme, host and port: requests with the same origin may share connections. */
  readonly origin: string
  readonly secure: boolean
  /** A name, or an IP address without brackets. */
  readonly hostname: string
  readonly port: number
  /** With the query, without the fragment. */
  readonly path: string
}

export function parseTarget(text: string, base?: string): Target | ExchangeFailure {
  const url = URL.parse(text, base)
  if (url === null) return invalid('it must be an absolute URL')
  const secure = url.protocol === 'https:'
  if (!secure && url.protocol !== 'http:') return invalid('it must begin with http: or https:')
  // Credentials end up in logs; an Authorization header is kept as a secret.
  if (url.username !== '' || url.password !== '') return invalid('it must not hold credentials')
  const { hostname } = url
  return {
    origin: url.origin,
    secure,
    hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
  }
}

const invalid = (reason: string): ExchangeFailure =>
  new ExchangeFailure('url_invalid', `the URL can't be called: ${reason}`)
