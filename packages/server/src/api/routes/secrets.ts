import { z } from '@hono/zod-openapi'
import { instantText, type SigningSecret } from '../../domain/index.js'
import {
  deleteSecret,
  putSecret,
  readSecret,
  rotateSecret,
  type StoredSecret,
  secretValuePattern,
} from '../../use-cases/index.js'
import { instantOut, textOrNull } from '../field-schemas.js'
import { type Answer, type Operation, operation } from '../operation.js'
import { pageAnswer, pageExample, pageOf, paging } from '../paging.js'
import { entityTag } from '../request/index.js'

const tag = 'Secrets'
const path = '/secrets/{name}'
const defaultOverlapMinutes = 24 * 60

const secretSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.number().int(),
    createdAt: instantOut,
    updatedAt: instantOut,
    values: z.array(z.object({ createdAt: instantOut, expiresAt: instantOut.nullable() })),
  })
  .openapi('Secret')

const storedSecretSchema = secretSchema
  .extend({
    value: z
      .string()
      .nullable()
      .openapi({ description: 'The value, if the server created it; it will not be shown again' }),
  })
  .openapi('StoredSecret')

const givenValue = z.string().max(200).nullable().optional().openapi({
  description: 'whsec_ and 24 to 64 bytes in base 64; left out, the server creates it',
  pattern: secretValuePattern.source,
})

const newSecretSchema = z.strictObject({ value: givenValue }).openapi('NewSecret')

const rotationSchema = z
  .strictObject({
    overlapMinutes: z.number().int().min(0).max(43_200).optional(),
    value: givenValue,
  })
  .openapi('Rotation')

const exampleSecret = {
  id: 'sec_01k9x2v7m0e5s3q8r4t6w1y2zc',
  name: 'default',
  version: 2,
  createdAt: '2026-02-27T10:00:00Z',
  updatedAt: '2026-03-01T02:32:20Z',
  values: [
    { createdAt: '2026-03-01T02:32:20Z', expiresAt: null },
    { createdAt: '2026-02-27T10:00:00Z', expiresAt: '2026-03-02T02:32:20Z' },
  ],
}

const stored = {
  status: 200,
  description: 'The secret',
  schema: storedSecretSchema,
  example: { ...exampleSecret, value: 'whsec_...' },
  headers: ['ETag'],
} as const

function secretView(secret: SigningSecret): z.input<typeof secretSchema> {
  const { id, name, version, createdAt, updatedAt, values } = secret
  return {
    id,
    name,
    version,
    createdAt: instantText(createdAt),
    updatedAt: instantText(updatedAt),
    values: values.map((value) => ({
      createdAt: instantText(value.createdAt),
      expiresAt: textOrNull(value.expiresAt),
    })),
  }
}

function storedAnswer({ secret, created, text }: StoredSecret): Answer {
  const headers = { etag: entityTag(secret.version) }
  return { status: created ? 201 : 200, body: { ...secretView(secret), value: text }, headers }
}

export const secretOperations: readonly Operation[] = [
  operation({
    operationId: 'listSecrets',
    method: 'get',
    path: '/secrets',
    tag,
    summary: 'List signing secrets, without their values',
    scope: 'admin',
    query: z.strictObject(paging),
    answer: {
      status: 200,
      description: 'A page of secrets',
      schema: pageOf(secretSchema),
      example: pageExample(exampleSecret),
    },
    transact: async ({ rows }, given, asked) =>
      pageAnswer(await rows.secrets.list(given.page), secretView, given, asked),
  }),
  operation({
    operationId: 'getSecret',
    method: 'get',
    path,
    tag,
    summary: 'Get a signing secret, without its values',
    scope: 'admin',
    answer: {
      status: 200,
      description: 'The secret',
      schema: secretSchema,
      example: exampleSecret,
      headers: ['ETag'],
    },
    async transact(call, { params }) {
      const secret = await readSecret(call, params['name']!)
      const headers = { etag: entityTag(secret.version) }
      return { status: 200, body: secretView(secret), headers }
    },
  }),
  operation({
    operationId: 'putSecret',
    method: 'put',
    path,
    tag,
    summary: 'Create a signing secret, or replace its value at once',
    scope: 'admin',
    body: newSecretSchema,
    bodyOptional: true,
    bodyExample: {},
    answer: stored,
    otherAnswer: { ...stored, status: 201, description: 'The new secret' },
    conditional: true,
    transact: async (call, { params, body, condition }) =>
      storedAnswer(await putSecret(call, params['name']!, body.value ?? null, condition)),
  }),
  operation({
    operationId: 'deleteSecret',
    method: 'delete',
    path,
    tag,
    summary: 'Delete an unused signing secret',
    scope: 'admin',
    answer: { status: 204, description: 'The secret is deleted' },
    conditional: true,
    problems: ['secret_in_use'],
    async transact(call, { params, condition }) {
      await deleteSecret(call, params['name']!, condition)
      return { status: 204 }
    },
  }),
  operation({
    operationId: 'rotateSecret',
    method: 'post',
    path: `${path}/rotate`,
    tag,
    summary: 'Rotate a signing secret',
    description: 'Requests carry both signatures until the overlap ends, by default after a day.',
    scope: 'admin',
    body: rotationSchema,
    bodyOptional: true,
    bodyExample: { overlapMinutes: 60 },
    answer: stored,
    secretAnswer: true,
    async transact(call, { params, body }) {
      const overlapMinutes = body.overlapMinutes ?? defaultOverlapMinutes
      const rotation = { overlapMinutes, value: body.value ?? null }
      return storedAnswer(await rotateSecret(call, params['name']!, rotation))
    },
  }),
]
