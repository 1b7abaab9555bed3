import type { z } from '@hono/zod-openapi'
import { actorOf } from '../../access/index.js'
import type { RunFilter } from '../../store/index.js'
import {
  cancelRun,
  inReading,
  invalidField,
  notFound,
  readEndpoint,
  readRun,
  replayRun,
} from '../../use-cases/index.js'
import { type Operation, operation } from '../operation.js'
import { pageAnswer, pageExample, pageOf } from '../paging.js'
import { endpointRunQuery, exampleRun, runQuery, runSchema, runView } from './run-schema.js'

const tag = 'Runs'
const path = '/runs/{runId}'
const ok = { status: 200, description: 'The run', schema: runSchema, example: exampleRun } as const
const listed = {
  status: 200,
  description: 'A page of runs, the newest first',
  schema: pageOf(runSchema),
  example: pageExample(exampleRun),
} as const

function filterOf(query: z.output<typeof runQuery>): RunFilter {
  const { endpointId, jobId, status, source, from, before } = query
  if (from !== undefined && before !== undefined && from >= before) {
    throw invalidField('from', 'out_of_range', 'from must be earlier than before')
  }
  return {
    ...(endpointId !== undefined && { endpointId }),
    ...(jobId !== undefined && { jobId }),
    ...(status !== undefined && { status }),
    ...(source !== undefined && { source }),
    ...(from !== undefined && { from }),
    ...(before !== undefined && { before }),
  }
}

export const runOperations: readonly Operation[] = [
  operation({
    operationId: 'listRuns',
    method: 'get',
    path: '/runs',
    tag,
    summary: 'List runs',
    scope: 'read',
    query: runQuery,
    answer: listed,
    async transact(call, given, asked) {
      const page = await call.rows.runs.list({ ...given.page, ...filterOf(given.query) })
      return pageAnswer(page, runView, given, asked)
    },
  }),
  operation({
    operationId: 'listRunsOfEndpoint',
    method: 'get',
    path: '/endpoints/{endpointId}/runs',
    tag,
    summary: 'List the runs of an endpoint',
    scope: 'read',
    query: endpointRunQuery,
    answer: listed,
    async transact(call, given, asked) {
      const { endpoint } = await readEndpoint(call, given.params['endpointId']!)
      const filter = { ...filterOf(given.query), endpointId: endpoint.id }
      const page = await call.rows.runs.list({ ...given.page, ...filter })
      return pageAnswer(page, runView, given, asked)
    },
  }),
  operation({
    operationId: 'getRun',
    method: 'get',
    path,
    tag,
    summary: 'Get a run',
    scope: 'read',
    answer: ok,
    transact: async (call, { params }) => ({
      status: 200,
      body: runView(await readRun(call, params['runId']!)),
    }),
  }),
  operation({
    operationId: 'getRunBody',
    method: 'get',
    path: `${path}/body`,
    tag,
    summary: 'Get the response body of a run, unchanged',
    description: 'Its content type, as the target gave it, is in the header x-kron-content-type.',
    scope: 'read',
    answer: {
      status: 200,
      description: 'The body',
      contentType: 'application/octet-stream',
      headers: ['X-Kron-Content-Type'],
    },
    async respond({ params }, { context, ports, caller }) {
      const asker = { tenantId: caller.tenant.id, actor: actorOf(caller) }
      const { run, body } = await inReading(ports, asker, async (call) => {
        const found = await readRun(call, params['runId']!)
        return { run: found, body: await call.rows.runs.body(found) }
      })
      if (body === null) throw notFound('body of a run')
      const type = run.response?.headers['content-type']
      // A stranger wrote it: no browser may take it for a page of ours.
      return context.body(new Uint8Array(body), 200, {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment',
        ...(type !== undefined && isVisible(type) && { 'x-kron-content-type': type }),
      })
    },
  }),
  operation({
    operationId: 'cancelRun',
    method: 'post',
    path: `${path}/cancel`,
    tag,
    summary: 'Cancel a run that is pending or running',
    scope: 'run',
    answer: ok,
    problems: ['run_ended'],
    transact: async (call, { params }) => ({
      status: 200,
      body: runView(await cancelRun(call, params['runId']!)),
    }),
  }),
  operation({
    operationId: 'replayRun',
    method: 'post',
    path: `${path}/replay`,
    tag,
    summary: 'Repeat a run with the present settings of its endpoint',
    scope: 'run',
    answer: { ...ok, status: 202, description: 'The new run, waiting for a worker' },
    problems: [
      'job_archived',
      'endpoint_archived',
      'endpoint_deleted',
      'run_already_requested',
      'quota_exceeded',
      'system_quota_exceeded',
    ],
    transact: async (call, { params }) => ({
      status: 202,
      body: runView(await replayRun(call, params['runId']!)),
    }),
  }),
]

const isVisible = (text: string): boolean => /^[\x20-\x7e]{1,500}$/.test(text)
