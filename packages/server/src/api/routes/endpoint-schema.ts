import { z } from '@hono/zod-openapi'
import {
  defaultBackoffMs,
  defaultDefinition,
  defaultJitter,
  defaultMaxDelayMs,
  defaultRetry,
  maxTtlMinutes,
  methods,
  plannerModes,
} from '../../domain/index.js'
import {
  endpointStatuses,
  headerNamePattern,
  maxExecutionTimeLimitMs,
  secretNamePattern,
} from '../../use-cases/index.js'
import {
  instantIn,
  instantOrNullIn,
  instantOut,
  longestMs,
  longText,
  nameText,
  paging,
  reasonText,
  switchText,
} from '../field-schemas.js'

const milliseconds = (least: number, most = longestMs) => z.number().int().min(least).max(most)

const maxHeaders = 100
/** A keyword of JSON Schema that the library has no type for. */
const headerNames: object = { propertyNames: { pattern: headerNamePattern.source } }
const headersSchema = z
  .record(z.string().min(1).max(256), z.string().max(8192))
  .refine((headers) => Object.keys(headers).length <= maxHeaders, {
    message: `must be ${maxHeaders} headers at most`,
    params: { code: 'too_many' },
  })
  .openapi({
    example: { authorization: 'Bearer secret' },
    ...headerNames,
    description: 'Kept encrypted and never shown. The value ••• keeps the one that is stored.',
  })

/** One way only to read any text: a semicolon is never part of a word. */
const mediaType = /^[!-:<-~]+(?: *;(?: *[!-:<-~]+)?)*$/

const bodySchema = z
  .strictObject({
    kind: z.enum(['json', 'text', 'binary']),
    content: z.string().openapi({ description: 'As text; binary in base 64' }),
    contentType: z
      .string()
      .min(1)
      .max(200, { abort: true })
      .regex(mediaType, 'must be a media type')
      .nullable()
      .optional()
      .transform((type) => type ?? null)
      .openapi({
        type: ['string', 'null'],
        minLength: 1,
        maxLength: 200,
        pattern: mediaType.source,
      }),
  })
  .openapi('RequestBody')

const retrySchema = z
  .strictObject({
    attempts: z.number().int().min(1).max(20).openapi({ description: 'The first included' }),
    backoffMs: milliseconds(0, 3_600_000)
      .optional()
      .openapi({ default: defaultBackoffMs, description: 'By default never above maxDelayMs' }),
    maxDelayMs: milliseconds(0, 3_600_000)
      .optional()
      .openapi({ default: defaultMaxDelayMs, description: 'By default never below backoffMs' }),
    jitter: z.number().min(0).max(1).optional().openapi({ default: defaultJitter }),
  })
  .transform(defaultRetry)
  .openapi('Retry')

/** Each may be left out; null is the default, also in place of what is stored. */
const settings = {
  description: longText.nullable().optional(),
  method: z.enum(methods).nullable().optional(),
  headers: headersSchema.nullable().optional(),
  body: bodySchema.nullable().optional(),
  cron: z.string().min(1).max(4096).nullable().optional().openapi({ example: '*/5 * * * *' }),
  timezone: z.string().min(1).max(64).nullable().optional().openapi({ example: 'Europe/Berlin' }),
  intervalMs: milliseconds(1).nullable().optional().openapi({ example: 300_000 }),
  jitterMs: milliseconds(0).nullable().optional(),
  minIntervalMs: milliseconds(0).nullable().optional(),
  maxIntervalMs: milliseconds(1).nullable().optional(),
  timeoutMs: milliseconds(1, 900_000).nullable().optional(),
  maxExecutionTimeMs: milliseconds(1, maxExecutionTimeLimitMs).nullable().optional(),
  maxResponseSizeKb: z.number().int().min(1).max(4096).nullable().optional(),
  concurrency: z.enum(['allow', 'forbid', 'replace']).nullable().optional(),
  deadlineMs: milliseconds(0).nullable().optional(),
  retry: retrySchema.nullable().optional(),
  onWorkerLoss: z.enum(['cancel', 'redeliver']).nullable().optional(),
  redirects: z.enum(['refuse', 'follow']).nullable().optional(),
  failureCountPolicy: z.enum(['reset', 'increment']).nullable().optional(),
  steering: z.boolean().nullable().optional(),
  planner: z.enum(plannerModes).nullable().optional(),
  adaptive: z
    .strictObject({ outsideCron: z.boolean() })
    .nullable()
    .optional()
    .openapi({ description: 'How far a planner may go' }),
  secret: z
    .string()
    .min(1)
    .max(63)
    .nullable()
    .optional()
    .openapi({ pattern: secretNamePattern.source }),
  keepResponses: z.boolean().nullable().optional(),
}

/** Who reads URLs passes over blanks before the scheme, and its case. */
const urlPattern = '^\\s*[Hh][Tt][Tt][Pp][Ss]?:'

/** A letter is up to four bytes, of which the core takes 1,024. */
const identityText = z.string().min(1).max(256)

const urlText = z
  .string()
  .min(1)
  .max(8192)
  .openapi({ example: 'https://api.example.com/sync', pattern: urlPattern })

export const newEndpointSchema = z
  .strictObject({
    name: nameText,
    url: urlText,
    ...settings,
    identity: identityText.optional().openapi({
      description: 'What windows and jitter are drawn from (default: <tenant>/<job>/<name>)',
    }),
  })
  .openapi('NewEndpoint')

export const endpointChangeSchema = z
  .strictObject({ name: nameText.optional(), url: urlText.optional(), ...settings })
  .openapi('EndpointChange')

export const endpointQuery = z.strictObject({
  ...paging,
  jobId: z.string().max(64).optional(),
  archived: switchText.optional(),
})

export const jobEndpointQuery = z.strictObject({ ...paging, archived: switchText.optional() })

export const pauseSchema = z
  .strictObject({ pausedUntil: instantOrNullIn, reason: reasonText.nullable().optional() })
  .openapi('Pause')

const ttlMinutes = z.number().int().min(1).max(maxTtlMinutes)

export const intervalHintSchema = z
  .strictObject({
    intervalMs: milliseconds(1),
    ttlMinutes,
    reason: reasonText.nullable().optional(),
  })
  .openapi('NewIntervalHint')

export const oneShotHintSchema = z
  .strictObject({ nextRunAt: instantIn, ttlMinutes, reason: reasonText.nullable().optional() })
  .openapi('NewOneShotHint')

const hintSchema = {
  expiresAt: instantOut,
  reason: z.string().nullable(),
  by: z.string(),
}

export const endpointSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    identity: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    url: z.string(),
    method: z.enum(methods),
    headers: z.record(z.string(), z.string()),
    body: z
      .object({
        kind: z.enum(['json', 'text', 'binary']),
        content: z.string(),
        contentType: z.string().nullable(),
      })
      .nullable(),
    cron: z.string().nullable(),
    intervalMs: z.number().int().nullable(),
    timezone: z.string().nullable(),
    jitterMs: z.number().int().nullable(),
    minIntervalMs: z.number().int().nullable(),
    maxIntervalMs: z.number().int().nullable(),
    timeoutMs: z.number().int(),
    maxExecutionTimeMs: z.number().int(),
    maxResponseSizeKb: z.number().int(),
    concurrency: z.enum(['allow', 'forbid', 'replace']),
    deadlineMs: z.number().int().nullable(),
    retry: z
      .object({
        attempts: z.number(),
        backoffMs: z.number(),
        maxDelayMs: z.number(),
        jitter: z.number(),
      })
      .nullable(),
    onWorkerLoss: z.enum(['cancel', 'redeliver']),
    redirects: z.enum(['refuse', 'follow']),
    failureCountPolicy: z.enum(['reset', 'increment']),
    steering: z.boolean(),
    planner: z.enum(plannerModes),
    adaptive: z.object({ outsideCron: z.boolean() }),
    secret: z.string().nullable(),
    keepResponses: z.boolean(),
    status: z.enum(endpointStatuses),
    nextRunAt: instantOut.nullable(),
    source: z.string(),
    periodId: z.string().nullable(),
    lastRunAt: instantOut.nullable(),
    lastStatus: z.string().nullable(),
    failureCount: z.number().int(),
    pausedUntil: instantOut.nullable(),
    pauseReason: z.string().nullable(),
    hints: z.object({
      interval: z.object({ intervalMs: z.number(), ...hintSchema }).nullable(),
      oneShot: z.object({ nextRunAt: instantOut, ...hintSchema }).nullable(),
    }),
    quotaHold: z
      .boolean()
      .openapi({ description: 'It waits for a quota to begin again: its source says which' }),
    createdAt: instantOut,
    updatedAt: instantOut,
    version: z.number().int(),
  })
  .openapi('Endpoint')

const { baseline, ...defaultSettings } = defaultDefinition

export const exampleEndpoint = {
  id: 'ep_01k9x2v7m0e5s3q8r4t6w1y2zc',
  jobId: 'job_01k9x2v7m0e5s3q8r4t6w1y2zc',
  identity: 'default/Nightly/Sync users',
  name: 'Sync users',
  url: 'https://api.example.com/sync/users',
  ...defaultSettings,
  method: 'POST',
  headers: { authorization: '•••' },
  ...baseline,
  cron: '*/5 * * * *',
  timezone: 'Europe/Berlin',
  minIntervalMs: 60_000,
  maxIntervalMs: 3_600_000,
  status: 'active',
  nextRunAt: '2026-03-01T02:35:00Z',
  source: 'baseline-cron',
  periodId: '2026-03-01T02:35:00Z',
  lastRunAt: '2026-03-01T02:30:00.012Z',
  lastStatus: 'success',
  failureCount: 0,
  pausedUntil: null,
  pauseReason: null,
  hints: { interval: null, oneShot: null },
  quotaHold: false,
  createdAt: '2026-02-27T10:00:00Z',
  updatedAt: '2026-02-27T10:00:00Z',
  version: 1,
}
