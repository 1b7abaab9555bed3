import type { EndpointWithPlan } from '../../domain/index.js'
import {
  archiveEndpoint,
  type Call,
  clearHints,
  createEndpoint,
  deleteEndpoint,
  hintInterval,
  hintOneShot,
  pauseEndpoint,
  readEndpoint,
  readJob,
  resetFailures,
  resumeEndpoint,
  runEndpoint,
  updateEndpoint,
} from '../../use-cases/index.js'
import { type Answer, type Operation, operation } from '../operation.js'
import { pageAnswer, pageExample, pageOf } from '../paging.js'
import type { ProblemCode } from '../problem.js'
import { entityTag } from '../request/index.js'
import {
  endpointChangeSchema,
  endpointQuery,
  endpointSchema,
  exampleEndpoint,
  intervalHintSchema,
  jobEndpointQuery,
  newEndpointSchema,
  oneShotHintSchema,
  pauseSchema,
} from './endpoint-schema.js'
import { endpointView } from './endpoint-view.js'
import { exampleRun, runSchema, runView } from './run-schema.js'

const tag = 'Endpoints'
const path = '/endpoints/{endpointId}'

function endpointAnswer(call: Call, found: EndpointWithPlan, status = 200): Answer {
  const headers = { etag: entityTag(found.endpoint.version) }
  return { status, body: endpointView(found, call.rows.now), headers }
}

const ok = {
  status: 200,
  description: 'The endpoint',
  schema: endpointSchema,
  example: exampleEndpoint,
  headers: ['ETag'],
} as const
const listed = {
  status: 200,
  description: 'A page of endpoints',
  schema: pageOf(endpointSchema),
  example: pageExample(exampleEndpoint),
} as const

/** An archived endpoint may find its name and its place in the quota taken. */
const resumeProblems: readonly ProblemCode[] = ['name_taken', 'quota_exceeded']

function changing(
  name: string,
  operationId: string,
  summary: string,
  change: (call: Call, id: string) => Promise<EndpointWithPlan>,
  problems: readonly ProblemCode[] = [],
): Operation {
  return operation({
    operationId,
    method: 'post',
    path: `${path}/${name}`,
    tag,
    summary,
    scope: 'write',
    answer: ok,
    problems,
    transact: async (call, { params }) =>
      endpointAnswer(call, await change(call, params['endpointId']!)),
  })
}

export const endpointOperations: readonly Operation[] = [
  operation({
    operationId: 'listEndpoints',
    method: 'get',
    path: '/endpoints',
    tag,
    summary: 'List endpoints',
    scope: 'read',
    query: endpointQuery,
    answer: listed,
    async transact({ rows }, given, asked) {
      const { jobId, archived } = given.query
      const filter = {
        ...(jobId !== undefined && { jobId }),
        ...(archived !== undefined && { archived }),
      }
      const page = await rows.endpoints.list({ ...given.page, ...filter })
      return pageAnswer(page, (found) => endpointView(found, rows.now), given, asked)
    },
  }),
  operation({
    operationId: 'listEndpointsOfJob',
    method: 'get',
    path: '/jobs/{jobId}/endpoints',
    tag,
    summary: 'List the endpoints of a job',
    scope: 'read',
    query: jobEndpointQuery,
    answer: listed,
    async transact(call, given, asked) {
      const { rows } = call
      const { id: jobId } = await readJob(call, given.params['jobId']!)
      const { archived } = given.query
      const filter = { jobId, ...(archived !== undefined && { archived }) }
      const page = await rows.endpoints.list({ ...given.page, ...filter })
      return pageAnswer(page, (found) => endpointView(found, rows.now), given, asked)
    },
  }),
  operation({
    operationId: 'createEndpoint',
    method: 'post',
    path: '/jobs/{jobId}/endpoints',
    tag,
    summary: 'Create an endpoint',
    description: 'It has exactly one baseline: cron or intervalMs.',
    scope: 'write',
    body: newEndpointSchema,
    bodyExample: {
      name: 'Sync users',
      url: 'https://api.example.com/sync/users',
      method: 'POST',
      cron: '*/5 * * * *',
    },
    answer: { ...ok, status: 201, headers: ['ETag', 'Location'] },
    problems: ['name_taken', 'job_archived', 'quota_exceeded'],
    async transact(call, { params, body }) {
      const found = await createEndpoint(call, params['jobId']!, body)
      const { headers, ...answer } = endpointAnswer(call, found, 201)
      const location = `/api/v1/endpoints/${found.endpoint.id}`
      return { ...answer, headers: { ...headers, location } }
    },
  }),
  operation({
    operationId: 'getEndpoint',
    method: 'get',
    path,
    tag,
    summary: 'Get an endpoint',
    scope: 'read',
    answer: ok,
    transact: async (call, { params }) =>
      endpointAnswer(call, await readEndpoint(call, params['endpointId']!)),
  }),
  operation({
    operationId: 'updateEndpoint',
    method: 'patch',
    path,
    tag,
    summary: 'Change an endpoint',
    description: 'Given fields replace, null clears (back to the default), absent fields stay.',
    scope: 'write',
    body: endpointChangeSchema,
    bodyExample: { cron: '*/10 * * * *', timeoutMs: 10_000 },
    answer: ok,
    conditional: true,
    problems: ['name_taken'],
    transact: async (call, { params, body, condition }) =>
      endpointAnswer(call, await updateEndpoint(call, params['endpointId']!, body, condition)),
  }),
  operation({
    operationId: 'deleteEndpoint',
    method: 'delete',
    path,
    tag,
    summary: 'Delete an endpoint',
    description: 'A run under way is cancelled. The history stays until retention removes it.',
    scope: 'write',
    answer: { status: 204, description: 'The endpoint is deleted' },
    conditional: true,
    async transact(call, { params, condition }) {
      await deleteEndpoint(call, params['endpointId']!, condition)
      return { status: 204 }
    },
  }),
  operation({
    operationId: 'pauseEndpoint',
    method: 'post',
    path: `${path}/pause`,
    tag,
    summary: 'Pause an endpoint until an instant; null resumes it',
    scope: 'write',
    body: pauseSchema,
    bodyExample: { pausedUntil: '2030-11-02T15:00:00Z', reason: 'Maintenance window' },
    answer: ok,
    problems: resumeProblems,
    async transact(call, { params, body }) {
      const id = params['endpointId']!
      const { pausedUntil, reason } = body
      const found =
        pausedUntil === null
          ? await resumeEndpoint(call, id)
          : await pauseEndpoint(call, id, { pausedUntil, reason: reason ?? null })
      return endpointAnswer(call, found)
    },
  }),
  changing(
    'resume',
    'resumeEndpoint',
    'Resume a paused or archived endpoint',
    resumeEndpoint,
    resumeProblems,
  ),
  changing('archive', 'archiveEndpoint', 'Archive an endpoint', archiveEndpoint),
  changing('reset-failures', 'resetFailures', 'Reset the count of failures', resetFailures),
  operation({
    operationId: 'runEndpoint',
    method: 'post',
    path: `${path}/run`,
    tag,
    summary: 'Run an endpoint now',
    scope: 'run',
    answer: {
      status: 202,
      description: 'The run, waiting for a worker',
      schema: runSchema,
      example: exampleRun,
    },
    problems: [
      'job_archived',
      'endpoint_archived',
      'run_already_requested',
      'quota_exceeded',
      'system_quota_exceeded',
    ],
    transact: async (call, { params }) => ({
      status: 202,
      body: runView(await runEndpoint(call, params['endpointId']!)),
    }),
  }),
  operation({
    operationId: 'hintInterval',
    method: 'put',
    path: `${path}/hints/interval`,
    tag,
    summary: 'Set another interval for a limited time',
    scope: 'write',
    body: intervalHintSchema,
    bodyExample: { intervalMs: 60_000, ttlMinutes: 30, reason: 'High failure rate detected' },
    answer: ok,
    async transact(call, { params, body }) {
      const wish = { ...body, reason: body.reason ?? null }
      return endpointAnswer(call, await hintInterval(call, params['endpointId']!, wish))
    },
  }),
  operation({
    operationId: 'hintOneShot',
    method: 'put',
    path: `${path}/hints/one-shot`,
    tag,
    summary: 'Set the time of the next run, in place of the one by the baseline',
    scope: 'write',
    body: oneShotHintSchema,
    bodyExample: {
      nextRunAt: '2026-03-01T14:30:00Z',
      ttlMinutes: 1440,
      reason: 'Immediate sync required',
    },
    answer: ok,
    async transact(call, { params, body }) {
      const wish = { ...body, reason: body.reason ?? null }
      return endpointAnswer(call, await hintOneShot(call, params['endpointId']!, wish))
    },
  }),
  operation({
    operationId: 'clearHints',
    method: 'delete',
    path: `${path}/hints`,
    tag,
    summary: 'Clear all hints',
    scope: 'write',
    answer: ok,
    transact: async (call, { params }) =>
      endpointAnswer(call, await clearHints(call, params['endpointId']!)),
  }),
]
