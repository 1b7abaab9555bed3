import { ExchangeFailure } from './exchange-failure.js'
import type { Message } from './message.js'
import { parseTarget } from './target.js'

export const maxRedirects = 5

const followed: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * What may be told to another origin. Any other header may be a credential under a name of its
 * own, and a signature made for one receiver must not be handed to the next.
 */
const keptAcrossOrigins: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-type',
  'idempotency-key',
  'user-agent',
])
const aboutTheBody = /^content-/i

/** Where a response sends the request on to: null when it is no redirect. */
export function redirectOf(
  message: Message,
  status: number,
  location: string | undefined,
  headersWithoutBody: () => Readonly<Record<string, string>> = () => ({}),
): Message | ExchangeFailure | null {
  if (!followed.has(status) || location === undefined) return null
  const { origin, path } = message.target
  const target = parseTarget(location, origin + path)
  if (target instanceof ExchangeFailure) {
    return new ExchangeFailure('redirect_refused', `redirected, and ${target.message}`)
  }
  const becomesGet =
    (status === 303 && message.method !== 'HEAD') ||
    (status < 303 && message.method.toUpperCase() === 'POST')
  const crossesOrigins = target.origin !== origin
  const dropsBody = becomesGet && message.body !== null
  const changed = dropsBody && !crossesOrigins ? headersWithoutBody() : {}
  const headers = keptHeaders(message.headers, changed, (name) => {
    if (becomesGet && aboutTheBody.test(name)) return false
    return !crossesOrigins || keptAcrossOrigins.has(name)
  })
  return {
    target,
    headers,
    method: becomesGet ? 'GET' : message.method,
    body: becomesGet ? null : message.body,
  }
}

function keptHeaders(
  headers: readonly string[],
  changed: Readonly<Record<string, string>>,
  keeps: (name: string) => boolean,
): string[] {
  const kept: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!
    const plain = name.toLowerCase()
    if (keeps(plain)) kept.push(name, changed[plain] ?? headers[index + 1]!)
  }
  return kept
}
