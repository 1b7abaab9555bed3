import { z } from '@hono/zod-openapi'
import { runStatuses } from '../../domain/index.js'
import { instantOut } from '../field-schemas.js'

export const giverText = 'Who gave the hint: rules, model, response, or the name of a key'

export const previewSchema = z
  .object({
    items: z.array(
      z.object({
        nextRunAt: instantOut,
        source: z.string(),
        giver: z.string().nullable().openapi({ description: giverText }),
        periodId: z.string(),
      }),
    ),
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

const figures = z.object({
  callsPerDay: z.number(),
  delayMs: z.number().nullable().openapi({
    description: 'From a change to the run that sees it, in the mean',
  }),
})

export const adviceSchema = z
  .object({
    endpointId: z.string(),
    planner: z.enum(['off', 'suggest', 'on']),
    said: z.string(),
    learned: z
      .object({
        since: instantOut,
        changesEveryMs: z.number().nullable(),
        changedPart: z.number().openapi({ description: 'The part of runs that found a change' }),
        pattern: z.enum(['hour', 'day', 'week', 'none']),
        peak: z.string().nullable(),
        profile: z.array(z.number()).openapi({
          description: 'How often it changes in each part of the pattern, 1 in the mean',
        }),
        downSince: instantOut.nullable(),
        limitMs: z.number().nullable(),
      })
      .nullable(),
    compared: z.object({ days: z.number(), baseline: figures, learner: figures }).nullable(),
    next: z.object({ baseline: z.array(instantOut), learner: z.array(instantOut) }),
  })
  .openapi('Advice')

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
  items: [{ nextRunAt: at, source: 'baseline-cron', giver: null, periodId: at }],
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

export const exampleAdvice = {
  endpointId: 'ep_01k9x2v7m0e5s3q8r4t6w1y2zc',
  planner: 'suggest',
  said:
    'A change is seen about every 1h, mostly from minute 17 to 20 of the hour. With the learner it ' +
    'would have 280 calls a day instead of 288, and would see a change after 31s instead of 2m30s.',
  learned: {
    since: '2026-02-01T00:00:00Z',
    changesEveryMs: 3_600_000,
    changedPart: 0.08,
    pattern: 'hour',
    peak: 'from minute 17 to 20 of the hour',
    profile: [],
    downSince: null,
    limitMs: null,
  },
  compared: {
    days: 28,
    baseline: { callsPerDay: 288, delayMs: 150_000 },
    learner: { callsPerDay: 280, delayMs: 31_000 },
  },
  next: { baseline: [at], learner: ['2026-03-01T03:17:04Z'] },
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
