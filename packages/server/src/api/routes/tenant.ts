import { z } from '@hono/zod-openapi'
import { type AuditEntry, instantText, monthEnd, type Tenant } from '../../domain/index.js'
import { createTenant } from '../../use-cases/index.js'
import { instantOut, nameText } from '../field-schemas.js'
import { type Operation, operation } from '../operation.js'
import { pageAnswer, pageExample, pageOf, paging } from '../paging.js'
import { ApiError } from '../problem.js'
import { exampleKey, exampleKeyText, keySchema, keyView } from './keys.js'

const tag = 'Tenant'
const limit = z.number().int().nullable().openapi({ description: 'null is no limit' })

const quotasSchema = z.object({
  endpoints: limit,
  runsPerMonth: limit,
  aiCallsPerMonth: limit,
  aiTokensPerMonth: limit,
  requestsPerMinute: limit,
  minIntervalMs: limit,
})

const tenantSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: instantOut,
    quotas: quotasSchema,
    retention: z.object({
      runDays: z.number(),
      runsPerEndpoint: z.number(),
      bodyDays: z.number(),
    }),
  })
  .openapi('Tenant')

const usageSchema = z
  .object({
    quotas: quotasSchema,
    usage: z.object({
      month: z.string().openapi({ example: '2026-03' }),
      endpoints: z.number().int(),
      runs: z.number().int(),
      aiCalls: z.number().int(),
      aiTokens: z.number().int(),
    }),
    resetsAt: instantOut,
  })
  .openapi('QuotaUsage')

const auditSchema = z
  .object({
    id: z.string(),
    at: instantOut,
    actor: z.string(),
    action: z.string(),
    subject: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    reason: z.string().nullable(),
  })
  .openapi('AuditEntry')

const newTenantSchema = z.strictObject({ name: nameText }).openapi('NewTenant')

const createdTenantSchema = z
  .object({
    tenant: tenantSchema,
    key: keySchema.extend({
      key: z.string().openapi({ description: 'The key itself; it will not be shown again' }),
    }),
    signingSecret: z.string().openapi({
      description:
        'The value of the secret `default`, which signs requests; it will not be shown again',
    }),
  })
  .openapi('CreatedTenant')

const exampleQuotas = {
  endpoints: 100,
  runsPerMonth: 1_000_000,
  aiCallsPerMonth: 0,
  aiTokensPerMonth: 0,
  requestsPerMinute: null,
  minIntervalMs: 10_000,
}

const exampleTenant = {
  id: 'ten_01k9x2v7m0e5s3q8r4t6w1y2zc',
  name: 'Example Inc.',
  createdAt: '2026-02-27T10:00:00Z',
  quotas: exampleQuotas,
  retention: { runDays: 30, runsPerEndpoint: 10_000, bodyDays: 7 },
}

const exampleUsage = {
  quotas: exampleQuotas,
  usage: { month: '2026-03', endpoints: 12, runs: 4711, aiCalls: 0, aiTokens: 0 },
  resetsAt: '2026-04-01T00:00:00Z',
}

const exampleAudit = {
  id: 'aud_01k9x2v7m0e5s3q8r4t6w1y2zc',
  at: '2026-03-01T02:32:20Z',
  actor: 'key:key_01k9x2v7m0e5s3q8r4t6w1y2zc',
  action: 'job.pause',
  subject: 'job_01k9x2v7m0e5s3q8r4t6w1y2zc',
  before: { status: 'active' },
  after: { status: 'paused' },
  reason: null,
}

function tenantView(tenant: Tenant): z.input<typeof tenantSchema> {
  const { id, name, createdAt, quotas, retention } = tenant
  return { id, name, createdAt: instantText(createdAt), quotas, retention }
}

function auditView(entry: AuditEntry): z.input<typeof auditSchema> {
  const { id, at, actor, action, subject, before, after, reason } = entry
  return { id, at: instantText(at), actor, action, subject, before, after, reason }
}

export const tenantOperations: readonly Operation[] = [
  operation({
    operationId: 'getTenant',
    method: 'get',
    path: '/tenant',
    tag,
    summary: 'Get the tenant that the key belongs to',
    scope: 'read',
    answer: {
      status: 200,
      description: 'The tenant',
      schema: tenantSchema,
      example: exampleTenant,
    },
    transact: async ({ rows }) => ({ status: 200, body: tenantView(await rows.tenant.get()) }),
  }),
  operation({
    operationId: 'getQuotas',
    method: 'get',
    path: '/quotas',
    tag,
    summary: 'Get the quotas and their use',
    scope: 'read',
    answer: {
      status: 200,
      description: 'Quotas and usage',
      schema: usageSchema,
      example: exampleUsage,
    },
    async transact({ rows }) {
      const { quotas } = await rows.tenant.get()
      const usage = await rows.tenant.usage()
      const resetsAt = instantText(monthEnd(rows.now))
      return { status: 200, body: { quotas, usage, resetsAt } }
    },
  }),
  operation({
    operationId: 'listAudit',
    method: 'get',
    path: '/audit',
    tag,
    summary: 'List changes: who, what, before, after',
    scope: 'admin',
    query: z.strictObject({ ...paging, subject: z.string().max(200).optional() }),
    answer: {
      status: 200,
      description: 'A page of changes, the newest first',
      schema: pageOf(auditSchema),
      example: pageExample(exampleAudit),
    },
    async transact({ rows }, given, asked) {
      const { subject } = given.query
      const filter = subject === undefined ? {} : { subject }
      const page = await rows.audit.list({ ...given.page, ...filter })
      return pageAnswer(page, auditView, given, asked)
    },
  }),
  operation({
    operationId: 'createTenant',
    method: 'post',
    path: '/tenants',
    tag,
    summary: 'Sign up: create a tenant with a key',
    description: 'Only where sign-up is open; otherwise the path does not exist.',
    scope: null,
    needsSignup: true,
    body: newTenantSchema,
    bodyExample: { name: 'Example Inc.' },
    answer: {
      status: 201,
      description: 'The tenant and its key',
      schema: createdTenantSchema,
      example: {
        tenant: exampleTenant,
        key: { ...exampleKey, key: exampleKeyText },
        signingSecret: 'whsec_...',
      },
    },
    problems: ['not_found', 'signup_full'],
    admit({ context, ports }) {
      ports.authenticator.checkStranger(context)
      refuseIdempotency(context.req.header('idempotency-key'))
    },
    async open({ body }, { context, ports }) {
      ports.authenticator.countStranger(context)
      const quotas = ports.signupQuotas
      const wanted = { ...body, quotas, maxTenants: ports.maxTenants }
      const { tenant, key, text, signingSecret } = await createTenant(ports, wanted)
      const shown = { ...keyView(key), key: text }
      return context.json({ tenant: tenantView(tenant), key: shown, signingSecret }, 201)
    },
  }),
]

/** There is no tenant yet in which the answer could be kept; to ignore the key would be a lie. */
function refuseIdempotency(key: string | undefined): void {
  if (key === undefined) return
  const message = 'idempotency-key is not supported by this operation'
  const errors = [{ field: 'idempotency-key', code: 'field_not_applicable', message }]
  throw new ApiError('validation_failed', message, { errors })
}
