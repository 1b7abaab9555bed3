import { z } from '@hono/zod-openapi'
import { runStatuses } from '../../domain/index.js'
import { instantOut } from '../field-schemas.js'

export const previewSchema = z
  .object({
    items: z.array(z.object({ nextRunAt: instantOut, source: z.string(), periodId: z.string() })),
  })
  .openapi('Preview')

export const explanationSchema = z
  .object({
    endpointId: z.string(),
    at: instantOut,
    state: z.enum(['planned', 'running', 'suspended', 'quota', 'finished']),
    plan: z.object({
      nextRunAt: instantOut.nullable(),
      source: z.string(),
      periodId: z.string().nullable(),
    }),
    responsibleSince: instantOut.nullable().openapi({
      description: 'Since when the schedule applies with its present timing',
    }),
    candidates: z.array(z.looseObject({})),
    clamp: z.looseObject({}).nullable(),
    decision: z.looseObject({}).nullable(),
    sentences: z.array(z.string()),
  })
  .openapi('Explanation')

const counts = Object.fromEntries(runStatuses.map((status) => [status, z.number().int()]))
const streak = z.object({ status: z.enum(['success', 'failure']), length: z.number().int() })

export const healthSchema = z
  .object({
    runs: z.number().int(),
    since: instantOut.nullable(),
    counts: z.object(counts),
    successRate: z.number().nullable(),
    durationMs: z
      .object({
        p50: z.number(),
        p90: z.number(),
        p95: z.number(),
        p99: z.number(),
        max: z.number(),
      })
      .nullable(),
    latenessMs: z.object({ p50: z.number(), p99: z.number() }).nullable(),
    streak: streak.nullable(),
    longestFailureStreak: z.number().int(),
    lastSuccessAt: instantOut.nullable(),
    lastFailureAt: instantOut.nullable(),
  })
  .openapi('Health')

export const forecastSchema = z
  .object({
    from: instantOut,
    endpoints: z.number().int(),
    truncated: z.boolean(),
    items: z.array(
      z.object({
        minute: instantOut,
        runs: z.number().int(),
        peakSecond: z.number().int(),
        truncated: z.boolean(),
      }),
    ),
  })
  .openapi('Forecast')

const at = '2026-03-01T02:35:00Z'

export const examplePreview = {
  items: [{ nextRunAt: at, source: 'baseline-cron', periodId: at }],
}

export const exampleExplanation = {
  endpointId: 'ep_01k9x2v7m0e5s3q8r4t6w1y2zc',
  at: '2026-03-01T02:32:20Z',
  state: 'planned',
  plan: { nextRunAt: at, source: 'baseline-cron', periodId: at },
  responsibleSince: '2026-02-27T10:00:00Z',
  candidates: [],
  clamp: null,
  decision: null,
  sentences: ['It runs next at 2026-03-01T02:35:00Z, as its cron baseline says.'],
}

export const exampleHealth = {
  runs: 2,
  since: '2026-03-01T02:25:00Z',
  counts: {
    pending: 0,
    running: 0,
    success: 1,
    failure: 1,
    timeout: 0,
    cancelled: 0,
    skipped: 0,
    missed: 0,
    unschedulable: 0,
  },
  successRate: 0.5,
  durationMs: { p50: 120, p90: 300, p95: 300, p99: 300, max: 300 },
  latenessMs: { p50: 2, p99: 9 },
  streak: { status: 'success', length: 1 },
  longestFailureStreak: 1,
  lastSuccessAt: '2026-03-01T02:30:00.132Z',
  lastFailureAt: '2026-03-01T02:25:00.304Z',
}

export const exampleForecast = {
  from: '2026-03-01T02:32:20Z',
  endpoints: 12,
  truncated: false,
  items: [{ minute: at, runs: 12, peakSecond: 12, truncated: false }],
}
