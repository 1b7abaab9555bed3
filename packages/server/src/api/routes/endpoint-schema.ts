import { z } from '@hono/zod-openapi'
import { defaultDefinition, longestMs, maxTtlMinutes } from '../../domain/index.js'
import { endpointStatuses } from '../../use-cases/index.js'
import { instantIn, instantOrNullIn, instantOut, reasonText, switchText } from '../field-schemas.js'
import { paging } from '../paging.js'
import { giverText } from './answers-schema.js'
import { shownFields, takenName, takenSettings, takenUrl } from './endpoint-field-schemas.js'

/** A letter is up to four bytes, of which the core takes 1,024. */
const identityText = z.string().min(1).max(256)

export const newEndpointSchema = z
  .strictObject({
    name: takenName,
    url: takenUrl,
    ...takenSettings,
    identity: identityText.optional().openapi({
      description: 'What windows and jitter are drawn from (default: <tenant>/<job>/<name>)',
    }),
  })
  .openapi('NewEndpoint')

export const endpointChangeSchema = z
  .strictObject({ name: takenName.optional(), url: takenUrl.optional(), ...takenSettings })
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
    intervalMs: z.number().int().min(1).max(longestMs),
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
  giver: z.string().openapi({ description: giverText }),
}

export const endpointSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    identity: z.string(),
    ...shownFields,
    status: z.enum(endpointStatuses),
    nextRunAt: instantOut.nullable(),
    source: z.string(),
    giver: z.string().nullable().openapi({ description: giverText }),
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
    quotaHold: z.boolean().openapi({
      description: 'The endpoint waits until a quota starts again; source says which one',
    }),
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
  giver: null,
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
