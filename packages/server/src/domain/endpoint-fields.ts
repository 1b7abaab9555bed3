import type { Retry } from './retry.js'

/** Methods that a request may have. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The longest interval, window or delay: a year. */
export const longestMs = 366 * 24 * 3_600_000

/** The longest lease: a day. */
export const maxExecutionTimeLimitMs = 86_400_000

export const secretNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

/** A body as the user gave it; `binary` is base 64. */
export interface Body {
  readonly kind: 'json' | 'text' | 'binary'
  readonly content: string
  readonly contentType: string | null
}

/** How far a planner may go, and what it looks at. */
export interface Adaptive {
  /** Whether it may have a cron endpoint run at times that its schedule does not have. */
  readonly outsideCron: boolean
  /** The part of the baseline's calls that may be made. */
  readonly budget: number
  /** JSON pointers to what counts as a change of the answer; without any the whole of it. */
  readonly changeOf: readonly string[]
}

export const minBudget = 0.05
export const maxBudget = 4
/** Pointers of `changeOf`. */
export const maxChangeOf = 8

export const defaultAdaptive: Adaptive = { outsideCron: false, budget: 1, changeOf: [] }

/** Values that have parts or rules of their own; the API has a schema for each. */
export interface OwnValues {
  readonly name: string
  readonly url: string
  /** Sealed wherever they are stored. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  readonly retry: Retry
  readonly adaptive: Adaptive
}

/** What a field may be. */
type Shape =
  | { readonly kind: 'text'; readonly min: number; readonly max: number; readonly pattern?: RegExp }
  | { readonly kind: 'whole'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'switch' }
  /** `takes` says what in words. */
  | { readonly kind: 'own'; readonly takes: string }

export type EndpointField = Shape & {
  /** Its value when it is left out; null is nothing. A field without a default is required. */
  readonly default?: unknown
  /** One of the baseline, of which an endpoint has one. */
  readonly isBaseline?: true
  /** What it is for, in the documentation, in the OpenAPI document and in the help of `kron`. */
  readonly text: string
  readonly example?: unknown
  /** How `kron endpoints create` and `update` spell it. `<duration>` is text such as 5m. */
  readonly option?: string
}

/**
 * All that a user says about an endpoint. The definition, drafts of it, what the API takes and
 * shows, its documentation and the options of `kron` follow from this table.
 */
export const endpointFields = {
  name: {
    kind: 'own',
    takes: '1 to 200 characters',
    text: 'Unique among the endpoints of its job',
  },
  description: {
    kind: 'text',
    min: 0,
    max: 2000,
    default: null,
    text: 'A note for people',
    option: '--description <text>',
  },
  url: {
    kind: 'own',
    takes: '`http:` or `https:`, with [placeholders](server.md#requests)',
    text: 'The URL to call',
    option: '--url <url>',
  },
  method: {
    kind: 'choice',
    values: methods,
    default: 'GET',
    text: 'The HTTP method of the request',
    option: '--method <method>',
  },
  headers: {
    kind: 'own',
    takes: 'an object of texts',
    default: {},
    text: 'Headers of the request; values are never shown',
  },
  body: {
    kind: 'own',
    takes: 'an object with `kind` (`json`, `text`, `binary`), `content` and `contentType`',
    default: null,
    text: 'The body of the request: JSON, text or base 64',
  },
  cron: {
    kind: 'text',
    min: 1,
    max: 4096,
    default: null,
    isBaseline: true,
    text: 'When it runs: a cron expression with modifiers',
    example: '*/5 * * * *',
    option: '--cron <schedule>',
  },
  timezone: {
    kind: 'text',
    min: 1,
    max: 64,
    default: null,
    isBaseline: true,
    text: 'The time zone of cron, such as Europe/Paris; UTC without one',
    example: 'Europe/Berlin',
    option: '--timezone <zone>',
  },
  intervalMs: {
    kind: 'whole',
    min: 1,
    max: longestMs,
    default: null,
    isBaseline: true,
    text: 'When it runs: this long after the start of the last run',
    example: 300_000,
    option: '--every <duration>',
  },
  jitterMs: {
    kind: 'whole',
    min: 0,
    max: longestMs,
    default: null,
    isBaseline: true,
    text: 'Up to this much is added to the interval',
    option: '--jitter <duration>',
  },
  minIntervalMs: {
    kind: 'whole',
    min: 0,
    max: longestMs,
    default: null,
    text: 'The shortest time from the start of one run to the next',
    option: '--min <duration>',
  },
  maxIntervalMs: {
    kind: 'whole',
    min: 1,
    max: longestMs,
    default: null,
    text: 'The longest time from the start of one run to the next',
    option: '--max <duration>',
  },
  timeoutMs: {
    kind: 'whole',
    min: 1,
    max: 900_000,
    default: 30_000,
    text: 'How long one exchange may take, to the last byte of the response',
    option: '--timeout <duration>',
  },
  /** The lease: how long a worker holds the endpoint at most. */
  maxExecutionTimeMs: {
    kind: 'whole',
    min: 1,
    max: maxExecutionTimeLimitMs,
    default: 60_000,
    text: 'How long a worker may hold the endpoint for a run, with all attempts',
  },
  maxResponseSizeKb: {
    kind: 'whole',
    min: 1,
    max: 4096,
    default: 64,
    text: 'How much of a response body is read; the rest is cut off',
  },
  concurrency: {
    kind: 'choice',
    values: ['allow', 'forbid', 'replace'],
    default: 'forbid',
    text: 'Whether a run that is due while another is under way starts beside it (allow), is skipped (forbid) or ends it (replace)',
    option: '--concurrency <policy>',
  },
  deadlineMs: {
    kind: 'whole',
    min: 0,
    max: longestMs,
    default: null,
    text: 'How late a run may start; without it, runs start however late',
    option: '--deadline <duration>',
  },
  retry: {
    kind: 'own',
    takes: 'an object with `attempts`, the rest has [defaults](server.md#retries)',
    default: null,
    text: 'Further attempts of a run that failed',
  },
  onWorkerLoss: {
    kind: 'choice',
    values: ['cancel', 'redeliver'],
    default: 'cancel',
    text: 'Whether a run whose worker was lost is cancelled or sent again',
  },
  redirects: {
    kind: 'choice',
    values: ['refuse', 'follow'],
    default: 'refuse',
    text: 'Whether a redirect ends the run as a failure or is followed',
  },
  failureCountPolicy: {
    kind: 'choice',
    values: ['reset', 'increment'],
    default: 'reset',
    text: 'Whether a success sets the count of failures to 0 or leaves it',
  },
  steering: {
    kind: 'switch',
    default: false,
    text: 'Whether a response may change the schedule through its headers',
  },
  /**
   * `suggest`: what planners propose is kept and shown with what it would have changed, and nothing
   * moves. `on`: it is done.
   */
  planner: {
    kind: 'choice',
    values: ['off', 'suggest', 'on'],
    default: 'suggest',
    text: 'Whether planners leave the endpoint alone (off), suggest changes (suggest) or make them (on)',
    option: '--planner <switch>',
  },
  adaptive: {
    kind: 'own',
    takes:
      'an object with `outsideCron`, `budget` and `changeOf`, see [planners](server.md#planners)',
    default: defaultAdaptive,
    text: 'How far a planner may go: outsideCron allows times that cron does not have, budget is the part of the calls of the baseline that may be made, changeOf names what counts as a change',
  },
  secret: {
    kind: 'text',
    min: 1,
    max: 63,
    pattern: secretNamePattern,
    default: null,
    text: 'The name of the secret that signs requests; without it, the secret named default',
    option: '--secret <name>',
  },
  keepResponses: {
    kind: 'switch',
    default: true,
    text: 'Whether response bodies are kept',
  },
} as const satisfies Readonly<Record<string, EndpointField>>

type Fields = typeof endpointFields
export type FieldName = keyof Fields

/** What a field holds: what its shape says, or null where that is its default. */
export type FieldValue<Name extends FieldName> =
  | ShapeValue<Name, Fields[Name]>
  | (Fields[Name] extends { readonly default: null } ? null : never)

type ShapeValue<Name, Field> = Field extends { readonly kind: 'choice'; readonly values: infer All }
  ? All[keyof All & number]
  : Field extends { readonly kind: 'whole' }
    ? number
    : Field extends { readonly kind: 'switch' }
      ? boolean
      : Name extends keyof OwnValues
        ? OwnValues[Name]
        : string

/** The names of all fields, in the order of the table. */
export const fieldNames = Object.keys(endpointFields) as readonly FieldName[]
