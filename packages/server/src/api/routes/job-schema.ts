import { z } from '@hono/zod-openapi'
import { instantText, type Job } from '../../domain/index.js'
import { instantOut, longText, nameText } from '../field-schemas.js'
import { paging } from '../paging.js'

const jobStatus = z.enum(['active', 'paused', 'archived'])

export const newJobSchema = z
  .strictObject({ name: nameText, description: longText.nullable().optional() })
  .openapi('NewJob')

export const jobChangeSchema = z
  .strictObject({ name: nameText.optional(), description: longText.nullable().optional() })
  .openapi('JobChange')

export const jobQuery = z.strictObject({ ...paging, status: jobStatus.optional() })

export const jobSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    status: jobStatus,
    version: z.number().int(),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .openapi('Job')

export const exampleJob = {
  id: 'job_01k9x2v7m0e5s3q8r4t6w1y2zc',
  name: 'Data sync',
  description: null,
  status: 'active',
  version: 1,
  createdAt: '2026-03-01T02:32:20Z',
  updatedAt: '2026-03-01T02:32:20Z',
}

export function jobView(job: Job): z.input<typeof jobSchema> {
  const { id, name, description, status, version, createdAt, updatedAt } = job
  return {
    id,
    name,
    description,
    status,
    version,
    createdAt: instantText(createdAt),
    updatedAt: instantText(updatedAt),
  }
}
