import { z } from '@hono/zod-openapi'
import { actorOf } from '../../access/index.js'
import { instantText } from '../../domain/index.js'
import {
  endpointAdvice,
  endpointHealth,
  explainEndpoint,
  forecastLoad,
  nextPlans,
} from '../../use-cases/index.js'
import { instantIn, wholeNumber } from '../field-schemas.js'
import { type Operation, operation } from '../operation.js'
import { ApiError } from '../problem.js'
import {
  adviceSchema,
  exampleAdvice,
  exampleExplanation,
  exampleForecast,
  exampleHealth,
  examplePreview,
  explanationSchema,
  forecastSchema,
  healthSchema,
  previewSchema,
} from './answers-schema.js'

const tag = 'Insight'
const path = '/endpoints/{endpointId}'

export const answerOperations: readonly Operation[] = [
  operation({
    operationId: 'nextRuns',
    method: 'get',
    path: `${path}/next`,
    tag,
    summary: 'Preview the next plans of an endpoint',
    description: 'As if each run started on time and took no time.',
    scope: 'read',
    query: z.strictObject({
      count: wholeNumber(1, 100)
        .optional()
        .transform((count) => count ?? 10),
    }),
    answer: {
      status: 200,
      description: 'The plans',
      schema: previewSchema,
      example: examplePreview,
    },
    async transact(call, { params, query }) {
      const plans = await nextPlans(call, params['endpointId']!, query.count)
      const items = plans.map((plan) => ({ ...plan, nextRunAt: instantText(plan.nextRunAt) }))
      return { status: 200, body: { items } }
    },
  }),
  operation({
    operationId: 'explainEndpoint',
    method: 'get',
    path: `${path}/explain`,
    tag,
    summary: 'Explain why an endpoint runs when it does',
    scope: 'read',
    answer: {
      status: 200,
      description: 'The explanation',
      schema: explanationSchema,
      example: exampleExplanation,
    },
    transact: async (call, { params }) => ({
      status: 200,
      body: await explainEndpoint(call, params['endpointId']!),
    }),
  }),
  operation({
    operationId: 'endpointAdvice',
    method: 'get',
    path: `${path}/advice`,
    tag,
    summary: 'What the learner knows of an endpoint, and what it makes of that',
    description: 'With the plan as it is, and as it is or would be with the learner.',
    scope: 'read',
    answer: {
      status: 200,
      description: 'The advice',
      schema: adviceSchema,
      example: exampleAdvice,
    },
    transact: async (call, { params }) => ({
      status: 200,
      body: await endpointAdvice(call, params['endpointId']!),
    }),
  }),
  operation({
    operationId: 'endpointHealth',
    method: 'get',
    path: `${path}/health`,
    tag,
    summary: 'Success rate, durations and streaks of an endpoint',
    description: 'From its last 500 runs.',
    scope: 'read',
    answer: {
      status: 200,
      description: 'The figures',
      schema: healthSchema,
      example: exampleHealth,
    },
    transact: async (call, { params }) => ({
      status: 200,
      body: await endpointHealth(call, params['endpointId']!),
    }),
  }),
  operation({
    operationId: 'forecast',
    method: 'get',
    path: '/forecast',
    tag,
    summary: 'Forecast the load by minute',
    description: 'Counts as 100 requests.',
    cost: 100,
    scope: 'read',
    query: z.strictObject({
      minutes: wholeNumber(1, 1440)
        .optional()
        .transform((minutes) => minutes ?? 60),
      from: instantIn.optional(),
    }),
    answer: {
      status: 200,
      description: 'Runs by minute',
      schema: forecastSchema,
      example: exampleForecast,
    },
    async respond({ query }, { context, ports, caller }) {
      const asker = { tenantId: caller.tenant.id, actor: actorOf(caller) }
      const wish = { minutes: query.minutes, from: query.from ?? null }
      const turn = ports.forecasts.pass(asker.tenantId, () => forecastLoad(ports, asker, wish))
      if (turn === null) throw tooManyForecasts()
      const { from, minutes, endpoints, truncated } = await turn
      const items = minutes.map((each) => ({ ...each, minute: instantText(each.minute) }))
      return context.json({ from: instantText(from), endpoints, truncated, items })
    },
  }),
]

function tooManyForecasts(): ApiError {
  const headers = { 'retry-after': '5' }
  return new ApiError(
    'rate_limited',
    'Too many forecasts of the tenant are waiting. Try again in 5 seconds.',
    { headers },
  )
}
