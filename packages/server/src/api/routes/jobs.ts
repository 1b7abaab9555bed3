import type { Job } from '../../domain/index.js'
import {
  archiveJob,
  type Call,
  createJob,
  deleteJob,
  pauseJob,
  readJob,
  resumeJob,
  updateJob,
} from '../../use-cases/index.js'
import { type Answer, type Operation, operation } from '../operation.js'
import { pageAnswer, pageExample, pageOf } from '../paging.js'
import type { ProblemCode } from '../problem.js'
import { entityTag } from '../request/index.js'
import {
  exampleJob,
  jobChangeSchema,
  jobQuery,
  jobSchema,
  jobView,
  newJobSchema,
} from './job-schema.js'

const tag = 'Jobs'
const path = '/jobs/{jobId}'

function jobAnswer(job: Job, status = 200): Answer {
  return { status, body: jobView(job), headers: { etag: entityTag(job.version) } }
}

const ok = {
  status: 200,
  description: 'The job',
  schema: jobSchema,
  example: exampleJob,
  headers: ['ETag'],
} as const

function changing(
  name: string,
  summary: string,
  change: (call: Call, id: string) => Promise<Job>,
  problems: readonly ProblemCode[],
): Operation {
  return operation({
    operationId: `${name}Job`,
    method: 'post',
    path: `${path}/${name}`,
    tag,
    summary,
    scope: 'write',
    answer: ok,
    problems,
    transact: async (call, { params }) => jobAnswer(await change(call, params['jobId']!)),
  })
}

export const jobOperations: readonly Operation[] = [
  operation({
    operationId: 'listJobs',
    method: 'get',
    path: '/jobs',
    tag,
    summary: 'List jobs',
    scope: 'read',
    query: jobQuery,
    answer: {
      status: 200,
      description: 'A page of jobs',
      schema: pageOf(jobSchema),
      example: pageExample(exampleJob),
    },
    async transact({ rows }, given, asked) {
      const { status } = given.query
      const page = await rows.jobs.list({ ...given.page, ...(status && { status }) })
      return pageAnswer(page, jobView, given, asked)
    },
  }),
  operation({
    operationId: 'createJob',
    method: 'post',
    path: '/jobs',
    tag,
    summary: 'Create a job',
    scope: 'write',
    body: newJobSchema,
    bodyExample: { name: 'Data sync' },
    answer: { ...ok, status: 201, headers: ['ETag', 'Location'] },
    problems: ['name_taken'],
    async transact(call, { body }) {
      const { name, description } = body
      const job = await createJob(call, { name, description: description ?? null })
      const { headers, ...answer } = jobAnswer(job, 201)
      return { ...answer, headers: { ...headers, location: `/api/v1/jobs/${job.id}` } }
    },
  }),
  operation({
    operationId: 'getJob',
    method: 'get',
    path,
    tag,
    summary: 'Get a job',
    scope: 'read',
    answer: ok,
    transact: async (call, { params }) => jobAnswer(await readJob(call, params['jobId']!)),
  }),
  operation({
    operationId: 'updateJob',
    method: 'patch',
    path,
    tag,
    summary: 'Change a job',
    description: 'Given fields replace, null clears, absent fields stay.',
    scope: 'write',
    body: jobChangeSchema,
    bodyExample: { description: 'Everything that keeps the copies fresh' },
    answer: ok,
    conditional: true,
    problems: ['name_taken', 'job_archived'],
    transact: async (call, { params, body, condition }) =>
      jobAnswer(await updateJob(call, params['jobId']!, body, condition)),
  }),
  operation({
    operationId: 'deleteJob',
    method: 'delete',
    path,
    tag,
    summary: 'Delete a job with its endpoints',
    description: 'Runs under way are cancelled. The history stays until retention removes it.',
    scope: 'write',
    answer: { status: 204, description: 'The job is deleted' },
    conditional: true,
    async transact(call, { params, condition }) {
      await deleteJob(call, params['jobId']!, condition)
      return { status: 204 }
    },
  }),
  changing('pause', 'Pause a job', pauseJob, ['job_archived']),
  changing('resume', 'Resume a paused or archived job', resumeJob, ['name_taken']),
  changing('archive', 'Archive a job', archiveJob, []),
]
