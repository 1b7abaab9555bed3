import { z } from '@hono/zod-openapi'
import { deleteCookie, setCookie } from 'hono/cookie'
import { type KeyOwner, keyTextPattern, type Session, sealSession } from '../../access/index.js'
import { instantText } from '../../domain/index.js'
import type { ApiContext, ApiPorts } from '../api-ports.js'
import { csrfHeader, sessionCookie } from '../authenticator.js'
import { instantOut } from '../field-schemas.js'
import { type Operation, operation } from '../operation.js'
import { unauthenticated } from '../problem.js'
import { exampleKey, keySchema, keyView } from './keys.js'

const tag = 'Session'

const sessionSchema = z
  .object({
    tenant: z.object({ id: z.string(), name: z.string() }),
    key: keySchema,
    expiresAt: instantOut,
    csrfToken: z.string().openapi({ description: `To be sent as ${csrfHeader} with changes` }),
  })
  .openapi('Session')

const keyText = z.string().max(200).openapi({ pattern: keyTextPattern.source })

const logInSchema = z.strictObject({ key: keyText }).openapi('LogIn')

const ok = {
  status: 200,
  description: 'The session',
  schema: sessionSchema,
  example: {
    tenant: { id: 'ten_01k9x2v7m0e5s3q8r4t6w1y2zc', name: 'Example Inc.' },
    key: exampleKey,
    expiresAt: '2026-03-01T14:32:20Z',
    csrfToken: '5s3q8r4t6w1y2zc01k9x2v7m0e5s3q8r',
  },
} as const

function sessionView(
  { expiresAt, csrf }: Session,
  { tenant, key }: KeyOwner,
): z.input<typeof sessionSchema> {
  return {
    tenant: { id: tenant.id, name: tenant.name },
    key: keyView(key),
    expiresAt: instantText(expiresAt),
    csrfToken: csrf,
  }
}

function cookieOptions({ secureCookies }: ApiPorts, context: ApiContext) {
  const secure = secureCookies || new URL(context.req.url).protocol === 'https:'
  return { httpOnly: true, sameSite: 'Strict', path: '/', secure } as const
}

export const sessionOperations: readonly Operation[] = [
  operation({
    operationId: 'logIn',
    method: 'post',
    path: '/session',
    tag,
    summary: 'Start a session of the dashboard with an API key',
    scope: null,
    body: logInSchema,
    bodyExample: { key: 'kron_7h2k9d3m_...' },
    answer: { ...ok, status: 201, headers: ['Set-Cookie'] },
    problems: ['unauthenticated', 'tenant_suspended'],
    async open({ body }, { context, ports }) {
      const { session, owner } = await ports.authenticator.beginSession(context, body.key)
      const maxAge = Math.floor(ports.limits.sessionMs / 1000)
      const options = { ...cookieOptions(ports, context), maxAge }
      setCookie(context, sessionCookie, sealSession(ports.vault, session), options)
      return context.json(sessionView(session, owner), 201)
    },
  }),
  operation({
    operationId: 'getSession',
    method: 'get',
    path: '/session',
    tag,
    summary: 'Get the session of this browser',
    scope: null,
    answer: ok,
    problems: ['unauthenticated'],
    async open(_, { context, ports }) {
      const found = await ports.authenticator.session(context)
      if (found === null) throw unauthenticated('There is no session.')
      return context.json(sessionView(found.session, found.owner))
    },
  }),
  operation({
    operationId: 'logOut',
    method: 'delete',
    path: '/session',
    tag,
    summary: 'End the session of this browser',
    description: `Like any change by a session it needs the header ${csrfHeader}.`,
    scope: null,
    answer: {
      status: 204,
      description: 'The session has ended and its cookie is removed',
      headers: ['Set-Cookie'],
    },
    problems: ['csrf_invalid'],
    async open(_, { context, ports }) {
      await ports.authenticator.endSession(context)
      deleteCookie(context, sessionCookie, cookieOptions(ports, context))
      return context.body(null, 204)
    },
  }),
]
