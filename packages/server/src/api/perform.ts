import { z } from '@hono/zod-openapi'
import { KronError } from '@kron/core'
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status'
import { actorOf } from '../access/index.js'
import { type Asker, type Call, inCall, inReading, tenantSuspended } from '../use-cases/index.js'
import type { ApiContext, ApiPorts } from './api-ports.js'
import type { Answer, Asked, AskedByAnybody, Given, Operation, Transacted } from './operation.js'
import { openCursor } from './paging.js'
import { problemOf } from './problem.js'
import { answerOnce, idempotencyKey, type SentAnswer } from './remembered-answer.js'
import { parseBy, readJson, readQuery, versionCondition } from './request/index.js'

/** From a request to its answer: who asks, what exactly, and then the operation itself. */
export async function perform(
  operation: Operation,
  context: ApiContext,
  ports: ApiPorts,
): Promise<Response> {
  try {
    return await performed(operation, context, ports)
  } catch (error) {
    const hasInput = operation.body !== undefined || operation.query !== undefined
    if (hasInput || !(error instanceof KronError)) throw error
    // Nothing was given that could be wrong: what is stored can't be dealt with.
    throw new Error(`${operation.operationId}: ${error.message}`, { cause: error })
  }
}

async function performed(
  operation: Operation,
  context: ApiContext,
  ports: ApiPorts,
): Promise<Response> {
  if (operation.scope === null) return performForAnybody(operation, { context, ports })
  const { scope, cost = 1 } = operation
  const caller = await ports.authenticator.caller(context, scope, cost)
  const given = await readGiven(operation, context, ports, caller.tenant.id)
  const asked: Asked = { context, ports, caller }
  if ('respond' in operation) return operation.respond(given, asked)
  if (!('transact' in operation)) throw new Error(`${operation.operationId} needs no scope`)
  const answer = await transacted(operation, given, asked)
  operation.afterwards?.(given, asked)
  return responseOf(context, answer)
}

async function performForAnybody(
  operation: Operation,
  { context, ports }: AskedByAnybody,
): Promise<Response> {
  if (!('open' in operation)) throw new Error(`${operation.operationId} needs a scope`)
  try {
    operation.admit?.({ context, ports })
    const limits = { ...ports.limits, bodyBytes: ports.limits.strangerBodyBytes }
    const given = await readGiven(operation, context, { ...ports, limits }, null)
    return await operation.open(given, { context, ports })
  } catch (error) {
    const { status, code } = problemOf(error, '').problem
    const isOwnFault = status < 500 && code !== 'rate_limited'
    throw isOwnFault ? ports.authenticator.refusal(context, error) : error
  }
}

function responseOf(context: ApiContext, { status, text, headers }: SentAnswer): Response {
  if (text === null) return context.body(null, status as StatusCode, headers)
  return context.body(text, status as ContentfulStatusCode, headers)
}

async function transacted(
  operation: Operation & Transacted<unknown, unknown>,
  given: Given<unknown, unknown>,
  asked: Asked,
): Promise<SentAnswer> {
  const { context, ports, caller } = asked
  const keyName = caller.key.name
  const asker: Asker = { tenantId: caller.tenant.id, actor: actorOf(caller), keyName }
  const isPost = operation.method === 'post'
  const transact = async (call: Call): Promise<Answer> => {
    const answer = await operation.transact(call, given, asked)
    if (operation.method !== 'get') await refuseSuspended(call)
    return answer
  }
  const key = isPost ? idempotencyKey(context.req.header('idempotency-key')) : null
  if (key === null) {
    const inside = operation.method === 'get' ? inReading : inCall
    return sent(await inside(ports, asker, transact))
  }
  const content = JSON.stringify([context.req.path, given.query ?? null, given.body ?? null])
  const secretAnswer = operation.secretAnswer ?? false
  const request = { asker, key, content, requestId: context.get('requestId'), secretAnswer }
  return answerOnce(ports, request, async (call) => sent(await transact(call)))
}

/**
 * Keys of a tenant that was just suspended may still be known here. Asked last, when everything
 * that the change needs is locked: either it is seen here that the tenant is suspended, or the
 * change is seen by who suspends it.
 */
async function refuseSuspended({ rows }: Call): Promise<void> {
  if ((await rows.tenant.get()).suspendedAt !== undefined) throw tenantSuspended()
}

function sent({ status, body, headers }: Answer): SentAnswer {
  if (body === undefined) return { status, text: null, headers: headers ?? {} }
  const type = { 'content-type': 'application/json' }
  return { status, text: JSON.stringify(body), headers: { ...type, ...headers } }
}

async function readGiven(
  operation: Operation,
  context: ApiContext,
  ports: ApiPorts,
  tenantId: string | null,
): Promise<Given<unknown, unknown>> {
  const sentQuery = readQuery(context.req.url)
  const checked = parseBy(operation.query ?? noFields, sentQuery, 'query')
  const query = operation.query && checked
  const body = await readBody(operation, context, ports)
  const params = context.req.param() as Record<string, string>
  const { limit, cursor, ...filters } = (query ?? {}) as PagedQuery
  const list = JSON.stringify([operation.operationId, params, filters])
  const after =
    cursor === undefined || tenantId === null
      ? null
      : openCursor(ports.vault, tenantId, list, cursor)
  const header = operation.conditional === true ? context.req.header('if-match') : undefined
  const page = { limit: limit ?? 1, after }
  return { params, query, body, list, page, condition: versionCondition(header) }
}

interface PagedQuery {
  readonly limit?: number
  readonly cursor?: string
}

const noFields = z.strictObject({})

async function readBody(
  { method, body, bodyOptional }: Operation,
  context: ApiContext,
  ports: ApiPorts,
): Promise<unknown> {
  if (method === 'get') return undefined
  const value = await readJson(context.req.raw, ports.limits)
  const isOptional = body === undefined || bodyOptional === true
  const sent = value === undefined && isOptional ? {} : value
  if (body !== undefined) return parseBy(body, sent, 'body')
  // Who sends a field expects that it does something.
  parseBy(noFields, sent, 'body')
  return undefined
}
