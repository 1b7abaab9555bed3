import { type OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import { idPattern, runIdPattern, secretNamePattern } from '../domain/index.js'
import { answerHeaders, goodHeaders, problemHeaders } from './answer-headers.js'
import type { ApiEnv } from './api-ports.js'
import type { AnswerSpec, Operation } from './operation.js'
import { type ProblemCode, problemCodes, problemType } from './problem.js'
import { idempotencyKeyPattern } from './remembered-answer.js'
import { ifMatchPattern } from './request/index.js'

const problemSchema = z
  .object({
    type: z.string().openapi({ example: 'urn:kron:problem:validation_failed' }),
    title: z.string(),
    status: z.number().int(),
    code: z.enum(Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]]),
    detail: z.string(),
    field: z.string().optional(),
    errors: z
      .array(
        z.object({
          field: z.string(),
          code: z.string(),
          message: z.string(),
          position: z.number().int().optional(),
        }),
      )
      .optional(),
    requestId: z.string(),
  })
  .openapi('Problem')

export const apiPrefix = '/api/v1'

/** Describes an operation with the schemas that it is checked by. */
export function routeOf(operation: Operation): RouteConfig {
  const { method, path, operationId, summary, description, tag, scope, query } = operation
  return {
    method,
    path: `${apiPrefix}${path}`,
    operationId,
    summary,
    tags: [tag],
    description: [description, scope === null ? null : `Scope: \`${scope}\`.`]
      .filter((text) => text !== null && text !== undefined)
      .join('\n\n'),
    security: scope === null ? [] : [{ key: [] }, { session: [] }],
    ...(scope !== null && { 'x-scope': scope }),
    request: {
      ...paramsOf(path),
      ...(query !== undefined && { query: query as z.ZodObject }),
      ...headersOf(operation),
      ...bodyOf(operation),
    },
    responses: responsesOf(operation),
  }
}

function paramsOf(path: string): { params?: z.ZodObject } {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  if (names.length === 0) return {}
  const shape = names.map((name) => [name, z.string().openapi({ pattern: patterns[name]! })])
  return { params: z.object(Object.fromEntries(shape)) }
}

/** Of what stands in paths; anything else is not found. */
const patterns: Readonly<Record<string, string>> = {
  jobId: idPattern('job'),
  endpointId: idPattern('ep'),
  runId: runIdPattern,
  sessionId: idPattern('ses'),
  keyId: idPattern('key'),
  name: secretNamePattern.source,
}

function headersOf({ method, conditional, scope }: Operation): { headers?: z.ZodObject } {
  const repeatable = method === 'post' && scope !== null
  const headers = {
    ...(repeatable && {
      'idempotency-key': z.string().min(1).max(255).optional().openapi({
        pattern: idempotencyKeyPattern.source,
        description: 'Requests with the same key are carried out once and get the same answer',
      }),
    }),
    ...(conditional === true && {
      'if-match': z.string().max(1000).optional().openapi({
        pattern: ifMatchPattern,
        description: 'The ETag that the resource must still have',
      }),
    }),
  }
  return Object.keys(headers).length === 0 ? {} : { headers: z.object(headers) }
}

function bodyOf({
  body,
  bodyOptional,
  bodyExample,
}: Operation): Pick<NonNullable<RouteConfig['request']>, 'body'> {
  if (body === undefined) return {}
  const example = bodyExample === undefined ? {} : { example: bodyExample }
  return {
    body: {
      required: bodyOptional !== true,
      content: { 'application/json': { schema: body, ...example } },
    },
  }
}

function responsesOf(operation: Operation): RouteConfig['responses'] {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of problemsOf(operation)) {
    const { status } = problemCodes[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const problems = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\`: ${problemCodes[code].title}`).join('\n\n'),
      headers: problemHeaders(operation, status),
      content: { [problemType]: { schema: problemSchema } },
    },
  ])
  const { answer, otherAnswer } = operation
  const good = [answer, ...(otherAnswer === undefined ? [] : [otherAnswer])].map((each) => [
    String(each.status),
    goodResponse(operation, each),
  ])
  return Object.fromEntries([...good, ...problems])
}

function goodResponse(operation: Operation, answer: AnswerSpec): RouteConfig['responses'][string] {
  const { description, schema, example, contentType } = answer
  const headers = goodHeaders(operation, answer)
  if (contentType !== undefined) {
    return { description, headers, content: { [contentType]: { schema: z.string() } } }
  }
  if (schema === undefined) return { description, headers }
  const shown = example === undefined ? {} : { example }
  return { description, headers, content: { 'application/json': { schema, ...shown } } }
}

function problemsOf(operation: Operation): readonly ProblemCode[] {
  const { path, scope, problems = [], conditional, method } = operation
  return [
    'validation_failed',
    ...(scope === null ? [] : (['unauthenticated', 'scope_missing', 'csrf_invalid'] as const)),
    ...(path.includes('{') ? (['not_found'] as const) : []),
    ...(method === 'get'
      ? []
      : (['json_invalid', 'payload_too_large', 'media_type_unsupported'] as const)),
    ...(conditional === true ? (['precondition_failed'] as const) : []),
    ...(method === 'post' && scope !== null ? (['idempotency_key_reused'] as const) : []),
    ...problems,
    'headers_too_large',
    'rate_limited',
    'internal',
    'store_unavailable',
  ]
}

/** The whole document. It never changes while the process lives. */
export function openApiDocument(app: OpenAPIHono<ApiEnv>, publicUrl: string | undefined): unknown {
  for (const [name, header] of Object.entries(answerHeaders)) {
    app.openAPIRegistry.registerComponent('headers', name, { ...header })
  }
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, kron_...',
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: 'kron_session',
    description: 'A session of the dashboard; changes need the header x-kron-csrf as well',
  })
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Kron',
      version: '1',
      description: 'Endpoints called when due, at most once a period, whatever crashes.',
    },
    // Without a name of its own, the server is where the document was found.
    servers: [{ url: publicUrl ?? '/' }],
  })
}
