import { z } from '@hono/zod-openapi'
import { type ApiKey, instantText, scopes } from '../../domain/index.js'
import { createKey, loadKey, revokeKey } from '../../use-cases/index.js'
import { instantOrNullIn, instantOut, nameText, textOrNull } from '../field-schemas.js'
import { type Operation, operation } from '../operation.js'
import { pageAnswer, pageExample, pageOf, paging } from '../paging.js'

const tag = 'API keys'
const path = '/keys/{keyId}'

export const keySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().openapi({ example: 'kron_7h2k9d3m' }),
    scopes: z.array(z.enum(scopes)),
    createdAt: instantOut,
    expiresAt: instantOut.nullable(),
    revokedAt: instantOut.nullable(),
    lastUsedAt: instantOut.nullable(),
  })
  .openapi('ApiKey')

const newKeySchema = z
  .strictObject({
    name: nameText,
    scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
    expiresAt: instantOrNullIn.optional(),
  })
  .openapi('NewApiKey')

const createdKeySchema = keySchema
  .extend({
    key: z.string().openapi({ description: 'The key itself; it will not be shown again' }),
  })
  .openapi('CreatedApiKey')

export const exampleKey = {
  id: 'key_01k9x2v7m0e5s3q8r4t6w1y2zc',
  name: 'Deployment',
  prefix: 'kron_7h2k9d3m',
  scopes: ['read', 'write'],
  createdAt: '2026-02-27T10:00:00Z',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
}

export const exampleKeyText = 'kron_7h2k9d3m_...'

export function keyView(key: ApiKey): z.input<typeof keySchema> {
  const { id, name, prefix, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  return {
    id,
    name,
    prefix,
    scopes: [...key.scopes],
    createdAt: instantText(createdAt),
    expiresAt: textOrNull(expiresAt),
    revokedAt: textOrNull(revokedAt),
    lastUsedAt: textOrNull(lastUsedAt),
  }
}

export const keyOperations: readonly Operation[] = [
  operation({
    operationId: 'listKeys',
    method: 'get',
    path: '/keys',
    tag,
    summary: 'List API keys',
    scope: 'admin',
    query: z.strictObject(paging),
    answer: {
      status: 200,
      description: 'A page of keys',
      schema: pageOf(keySchema),
      example: pageExample(exampleKey),
    },
    transact: async ({ rows }, given, asked) =>
      pageAnswer(await rows.keys.list(given.page), keyView, given, asked),
  }),
  operation({
    operationId: 'createKey',
    method: 'post',
    path: '/keys',
    tag,
    summary: 'Create an API key',
    scope: 'admin',
    body: newKeySchema,
    bodyExample: { name: 'Deployment', scopes: ['read', 'write'] },
    answer: {
      status: 201,
      description: 'The key. Save it: it will not be shown again.',
      schema: createdKeySchema,
      example: { ...exampleKey, key: exampleKeyText },
      headers: ['Location'],
    },
    secretAnswer: true,
    async transact(call, { body }) {
      const { key, text } = await createKey(call, { ...body, expiresAt: body.expiresAt ?? null })
      const headers = { location: `/api/v1/keys/${key.id}` }
      return { status: 201, body: { ...keyView(key), key: text }, headers }
    },
  }),
  operation({
    operationId: 'getKey',
    method: 'get',
    path,
    tag,
    summary: 'Get an API key',
    scope: 'admin',
    answer: { status: 200, description: 'The key', schema: keySchema, example: exampleKey },
    transact: async (call, { params }) => ({
      status: 200,
      body: keyView(await loadKey(call, params['keyId']!)),
    }),
  }),
  operation({
    operationId: 'revokeKey',
    method: 'delete',
    path,
    tag,
    summary: 'Revoke an API key',
    description:
      'It stops working at once, on other processes of the same server within 3 seconds. The ' +
      'last key with the scope admin can not be revoked.',
    scope: 'admin',
    answer: { status: 204, description: 'The key is revoked' },
    problems: ['last_admin_key'],
    async transact(call, { params }) {
      await revokeKey(call, params['keyId']!)
      return { status: 204 }
    },
    afterwards: ({ params }, { ports }) => ports.keys.forget(params['keyId']!),
  }),
]
