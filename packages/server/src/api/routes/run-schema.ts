import { z } from '@hono/zod-openapi'
import {
  instantText,
  type Run,
  type RunSource,
  runId,
  runStatuses,
  violationsOf,
} from '../../domain/index.js'
import { instantIn, instantOut, repeatable, textOrNull } from '../field-schemas.js'
import { paging } from '../paging.js'
import { giverText } from './answers-schema.js'

const runSources: readonly [RunSource, ...RunSource[]] = [
  'paused',
  'ai-oneshot',
  'ai-interval',
  'baseline-cron',
  'baseline-interval',
  'clamped-min',
  'clamped-max',
  'manual',
  'replay',
]

const runFilters = {
  ...paging,
  status: repeatable(z.enum(runStatuses))
    .optional()
    .openapi({ type: 'array', items: { type: 'string', enum: [...runStatuses] } }),
  source: z.enum(runSources).optional(),
  from: instantIn.optional(),
  before: instantIn.optional(),
}

export const endpointRunQuery = z.strictObject(runFilters)

export const runQuery = z.strictObject({
  ...runFilters,
  endpointId: z.string().max(64).optional(),
  jobId: z.string().max(64).optional(),
})

const givenReason = {
  reason: z.string().nullable(),
  giver: z.string().nullable().openapi({ description: giverText }),
}

export const runSchema = z
  .object({
    id: z.string(),
    endpointId: z.string(),
    scheduledFor: instantOut,
    periodId: z.string(),
    source: z.enum(runSources),
    status: z.enum(runStatuses),
    reason: z.string().nullable(),
    attempts: z.number().int(),
    claimedAt: instantOut.nullable(),
    startedAt: instantOut.nullable(),
    endedAt: instantOut.nullable(),
    durationMs: z.number().int().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    response: z
      .object({
        httpStatus: z.number().int().nullable(),
        headers: z.record(z.string(), z.string()),
        bodyBytes: z.number().int(),
        truncated: z.boolean(),
      })
      .nullable(),
    notes: z.array(z.string()).openapi({
      description: 'What the response asked of the schedule and was refused, and why',
    }),
    context: z.object({
      failureCount: z.number().int(),
      intervalHint: z.object({ intervalMs: z.number(), ...givenReason }).nullable(),
      oneShotHint: z.object({ nextRunAt: instantOut, ...givenReason }).nullable(),
      violations: z.array(z.string()).openapi({
        description: 'The limits that the run reached: of its schedule, of time and of size',
        example: ['timeoutMs', 'maxResponseSizeKb'],
      }),
      replayOf: z.string().nullable(),
      stretch: z
        .object({
          first: instantOut,
          last: instantOut,
          count: z.number().int(),
          more: z.boolean(),
        })
        .nullable()
        .openapi({
          description:
            'Periods in a row that could not be scheduled; this run stands for all of them',
        }),
    }),
  })
  .openapi('Run')

export const exampleRun = {
  id: 'run_01k9x2v7m0e5s3q8r4t6w1y2zc_mjd1k5c0',
  endpointId: 'ep_01k9x2v7m0e5s3q8r4t6w1y2zc',
  scheduledFor: '2026-03-01T02:32:20Z',
  periodId: '2026-03-01T02:32:20Z',
  source: 'manual',
  status: 'pending',
  reason: null,
  attempts: 0,
  claimedAt: null,
  startedAt: null,
  endedAt: null,
  durationMs: null,
  error: null,
  response: null,
  notes: [],
  context: {
    failureCount: 0,
    intervalHint: null,
    oneShotHint: null,
    violations: [],
    replayOf: null,
    stretch: null,
  },
}

export function runView(run: Run): z.input<typeof runSchema> {
  const { endpointId, scheduledFor, periodId, source, status, reason, attempts } = run
  const { startedAt, endedAt, error, response } = run
  return {
    id: runId(run),
    endpointId,
    scheduledFor: instantText(scheduledFor),
    periodId,
    source,
    status,
    reason,
    attempts,
    claimedAt: textOrNull(run.claimedAt),
    startedAt: textOrNull(startedAt),
    endedAt: textOrNull(endedAt),
    durationMs: startedAt === null || endedAt === null ? null : Math.max(0, endedAt - startedAt),
    error,
    response: response && { ...response, headers: { ...response.headers } },
    notes: [...run.notes],
    context: contextView(run),
  }
}

function contextView(run: Run): z.input<typeof runSchema>['context'] {
  const { failureCount, intervalHint, oneShotHint, replayOf, stretch } = run.context
  return {
    failureCount,
    intervalHint: intervalHint ? { giver: null, ...intervalHint } : null,
    oneShotHint: oneShotHint
      ? { giver: null, ...oneShotHint, nextRunAt: instantText(oneShotHint.nextRunAt) }
      : null,
    violations: violationsOf(run),
    replayOf: replayOf ?? null,
    stretch: stretch ? { ...stretch, more: stretch.more ?? false } : null,
  }
}
