import { OpenAPIHono } from '@hono/zod-openapi'
import { expositionType } from '@kron/runtime'
import { KeyDirectory, KeyUse } from '../access/index.js'
import { notFound } from '../service/index.js'
import type { ApiContext, ApiEnv, ApiPorts } from './api-env.js'
import { type ApiOptions, usualLimits } from './api-options.js'
import { Authenticator } from './authenticator.js'
import { apiPrefix, openApiDocument, routeOf } from './openapi.js'
import type { Operation } from './operation.js'
import { perform } from './perform.js'
import { ApiError, problemOf } from './problem/index.js'
import { requestFrame } from './request-frame.js'
import { allOperations } from './routes/all-operations.js'

/** The HTTP interface of a server: the API, its document, and what operators look at. */
export function createApi(options: ApiOptions): OpenAPIHono<ApiEnv> {
  const { clock, log, metrics, publicUrl } = options
  const https = publicUrl?.startsWith('https:') ?? false
  const app = new OpenAPIHono<ApiEnv>()
  app.use('*', requestFrame({ clock, log, metrics, https }))
  app.onError((error, context) => refusal(error, context, options))
  app.notFound((context) => refusal(notFound('path'), context, options))
  const ports = portsOf(options, https)
  const operations = allOperations()
  for (const operation of operations) addOperation(app, operation, ports)
  addDocument(app, publicUrl)
  addOperatorRoutes(app, options)
  addOtherMethods(app, operations)
  return app
}

function portsOf(options: ApiOptions, https: boolean): ApiPorts {
  const { store, vault, addressGuard, clock, log, signup } = options
  const limits = { ...usualLimits, ...options.limits }
  const keys = new KeyDirectory(store, clock)
  const use = new KeyUse(store, log)
  return {
    store,
    vault,
    addressGuard,
    clock,
    log,
    limits,
    keys,
    authenticator: new Authenticator({ keys, use, vault, clock, limits }),
    secureCookies: https,
    signup,
    stopping: options.stopping ?? new AbortController().signal,
  }
}

const honoPath = (path: string): string => `${apiPrefix}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

function addOperation(app: OpenAPIHono<ApiEnv>, operation: Operation, ports: ApiPorts): void {
  app.openAPIRegistry.registerPath(routeOf(operation))
  app.on(operation.method.toUpperCase(), honoPath(operation.path), (context) => {
    context.set('route', operation.path)
    return perform(operation, context, ports)
  })
}

function addDocument(app: OpenAPIHono<ApiEnv>, publicUrl: string | undefined): void {
  let text: string | null = null
  app.get(`${apiPrefix}/openapi.json`, (context) => {
    context.set('route', '/openapi.json')
    text ??= JSON.stringify(openApiDocument(app, publicUrl))
    return context.body(text, 200, { 'content-type': 'application/json' })
  })
}

function addOperatorRoutes(app: OpenAPIHono<ApiEnv>, { store, metrics }: ApiOptions): void {
  app.get('/healthz', (context) => {
    context.set('route', '/healthz')
    return context.json({ status: 'alive' })
  })
  app.get('/readyz', async (context) => {
    context.set('route', '/readyz')
    try {
      await store.time()
    } catch {
      const headers = { 'retry-after': '1' }
      throw new ApiError('store_unavailable', 'The database can not be used.', { headers })
    }
    return context.json({ status: 'ready' })
  })
  app.get('/metrics', (context) => {
    context.set('route', '/metrics')
    return context.body(metrics.expose(), 200, { 'content-type': expositionType })
  })
}

/** A known path with another method: not that there is nothing, but what there is. */
function addOtherMethods(app: OpenAPIHono<ApiEnv>, operations: readonly Operation[]): void {
  const methods = new Map<string, string[]>()
  for (const { path, method } of operations) {
    const known = methods.get(honoPath(path)) ?? []
    methods.set(honoPath(path), [...known, method.toUpperCase()])
  }
  for (const path of [`${apiPrefix}/openapi.json`, '/healthz', '/readyz', '/metrics']) {
    methods.set(path, ['GET'])
  }
  for (const [path, known] of methods) {
    const allow = known.includes('GET') ? [...known, 'HEAD'] : known
    app.all(path, () => {
      throw new ApiError('method_not_allowed', `This path has ${allow.join(', ')} only.`, {
        headers: { allow: allow.join(', ') },
      })
    })
  }
}

function refusal(error: unknown, context: ApiContext, { log }: ApiOptions): Response {
  const requestId = context.get('requestId')
  const { problem, headers, unexpected } = problemOf(error, requestId)
  if (unexpected) log.child({ requestId }).failure(error, { operation: context.get('route') })
  return context.body(JSON.stringify(problem), problem.status as 400, { ...headers })
}
