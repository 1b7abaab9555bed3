import { z } from '@hono/zod-openapi'
import {
  instantText,
  isId,
  type PlannedRun,
  type PlannerAction,
  type PlannerSession,
} from '../../domain/index.js'
import { notFound } from '../../use-cases/index.js'
import { instantOut, textOrNull } from '../field-schemas.js'
import { type Operation, operation } from '../operation.js'
import { pageAnswer, pageExample, pageOf, paging } from '../paging.js'

const tag = 'Planner'

const actionSchema = z.looseObject({ kind: z.string(), reason: z.string() })

const plannedSchema = z.object({ nextRunAt: instantOut.nullable(), source: z.string() })

const sessionSchema = z
  .object({
    id: z.string(),
    endpointId: z.string(),
    planner: z.string(),
    startedAt: instantOut,
    endedAt: instantOut,
    read: z.unknown(),
    said: z.string(),
    actions: z.array(actionSchema),
    suggested: z
      .array(z.object({ action: actionSchema, before: plannedSchema, after: plannedSchema }))
      .openapi({
        description: 'What the planner would have changed, if the endpoint had planner: on',
      }),
    refused: z.array(z.object({ action: actionSchema, why: z.string() })),
    cost: z.object({ calls: z.number(), tokens: z.number() }),
  })
  .openapi('PlannerSession')

const exampleSession = {
  id: 'ses_01k9x2v7m0e5s3q8r4t6w1y2zc',
  endpointId: 'ep_01k9x2v7m0e5s3q8r4t6w1y2zc',
  planner: 'rules',
  startedAt: '2026-03-01T02:32:20Z',
  endedAt: '2026-03-01T02:32:20Z',
  read: { failureCount: 3 },
  said: 'Three failures in a row: back off to 20 minutes.',
  actions: [],
  suggested: [
    {
      action: {
        kind: 'proposeInterval',
        intervalMs: 1_200_000,
        ttlMinutes: 60,
        reason: '3 failures',
      },
      before: { nextRunAt: '2026-03-01T02:35:00Z', source: 'baseline-interval' },
      after: { nextRunAt: '2026-03-01T02:50:00Z', source: 'ai-interval' },
    },
  ],
  refused: [],
  cost: { calls: 0, tokens: 0 },
}

const sessionQuery = z.strictObject({ ...paging, endpointId: z.string().max(64).optional() })

function sessionView(session: PlannerSession): z.input<typeof sessionSchema> {
  const { id, endpointId, planner, startedAt, endedAt, read, said, cost } = session
  return {
    id,
    endpointId,
    planner,
    startedAt: instantText(startedAt),
    endedAt: instantText(endedAt),
    read,
    said,
    actions: session.actions.map(actionView),
    suggested: session.suggested.map(({ action, before, after }) => ({
      action: actionView(action),
      before: plannedView(before),
      after: plannedView(after),
    })),
    refused: session.refused.map(({ action, why }) => ({ action: actionView(action), why })),
    cost,
  }
}

const plannedView = ({ nextRunAt, source }: PlannedRun) => ({
  nextRunAt: textOrNull(nextRunAt),
  source,
})

function actionView(action: PlannerAction): z.input<typeof actionSchema> {
  if (action.kind === 'pauseUntil') return { ...action, until: instantText(action.until) }
  if (action.kind !== 'proposeNextTime') return { ...action }
  return { ...action, nextRunAt: instantText(action.nextRunAt) }
}

export const plannerOperations: readonly Operation[] = [
  operation({
    operationId: 'listPlannerSessions',
    method: 'get',
    path: '/planner/sessions',
    tag,
    summary: 'List what planners read, said and did',
    scope: 'read',
    query: sessionQuery,
    answer: {
      status: 200,
      description: 'A page of sessions',
      schema: pageOf(sessionSchema),
      example: pageExample(exampleSession),
    },
    async transact({ rows }, given, asked) {
      const { endpointId } = given.query
      const filter = endpointId === undefined ? {} : { endpointId }
      const page = await rows.sessions.list({ ...given.page, ...filter })
      return pageAnswer(page, sessionView, given, asked)
    },
  }),
  operation({
    operationId: 'getPlannerSession',
    method: 'get',
    path: '/planner/sessions/{sessionId}',
    tag,
    summary: 'Get a planner session',
    scope: 'read',
    answer: {
      status: 200,
      description: 'The session',
      schema: sessionSchema,
      example: exampleSession,
    },
    async transact({ rows }, { params }) {
      const id = params['sessionId']!
      const session = isId('ses', id) ? await rows.sessions.get(id) : null
      if (session === null) throw notFound('planner session')
      return { status: 200, body: sessionView(session) }
    },
  }),
]
