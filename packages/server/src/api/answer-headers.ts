import type { AnswerSpec, Operation } from './operation.js'

interface HeaderSpec {
  readonly description: string
  readonly schema: { readonly type: 'string' | 'integer' }
}

const text = (description: string): HeaderSpec => ({ description, schema: { type: 'string' } })
const whole = (description: string): HeaderSpec => ({ description, schema: { type: 'integer' } })

/** All headers of answers that callers may want to read, beside those that HTTP always has. */
export const answerHeaders = {
  'X-Request-Id': text('The id of the request, as it is in the log'),
  ETag: text('The version, for If-Match'),
  Location: text('The path of what was created'),
  'Set-Cookie': text('The session'),
  'X-Kron-Content-Type': text('The content type that the target gave the body'),
  'Idempotency-Replayed': text('true: the answer to an earlier request with the same key'),
  'RateLimit-Limit': whole('Requests that the tenant may make in a minute'),
  'RateLimit-Remaining': whole('Requests that are left'),
  'RateLimit-Reset': whole('Seconds until the tenant may make all of them again'),
  'Retry-After': whole('Seconds after which to try again'),
  'WWW-Authenticate': text('How to send a key'),
} as const satisfies Readonly<Record<string, HeaderSpec>>

export type AnswerHeader = keyof typeof answerHeaders

type References = Readonly<Record<string, { readonly $ref: string }>>

export function goodHeaders(operation: Operation, { headers = [] }: AnswerSpec): References {
  const ofCaller = operation.scope === null ? [] : rateLimit
  return references(['X-Request-Id', ...headers, ...replayed(operation), ...ofCaller])
}

export function problemHeaders(operation: Operation, status: number): References {
  return references([
    'X-Request-Id',
    ...(keptStatuses.has(status) ? replayed(operation) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    // Requests without a key are not counted until there were too many of them.
    ...(status === 429 || (operation.scope !== null && !uncounted.has(status)) ? rateLimit : []),
  ])
}

const uncounted: ReadonlySet<number> = new Set([401, 431])

const rateLimit: readonly AnswerHeader[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
]

/** Of refusals that an operation itself gives. */
const keptStatuses: ReadonlySet<number> = new Set([400, 403, 404, 409, 412])

function replayed({ method, scope }: Operation): readonly AnswerHeader[] {
  return method === 'post' && scope !== null ? ['Idempotency-Replayed'] : []
}

function references(names: readonly AnswerHeader[]): References {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
