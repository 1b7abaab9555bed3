import { OpenAPIHono } from '@hono/zod-openapi'
import { expositionType } from '@kron/runtime'
import { versions } from '../domain/version.js'
import { notFound } from '../use-cases/index.js'
import type { ApiContext, ApiEnv, ApiOptions } from './api-ports.js'
import { ApiError, problemOf } from './problem.js'
import { Readiness } from './readiness.js'
import { requestFrame } from './request-frame.js'

type OperatorOptions = Pick<
  ApiOptions,
  'store' | 'clock' | 'log' | 'metrics' | 'tracer' | 'publicUrl'
>

export const operatorPaths = ['/healthz', '/readyz', '/metrics'] as const

/** What every process that listens has in common: the frame of requests, and how it refuses. */
export function framedApp(options: OperatorOptions): OpenAPIHono<ApiEnv> {
  const { clock, log, metrics, tracer, publicUrl } = options
  const https = publicUrl?.startsWith('https:') ?? false
  const app = new OpenAPIHono<ApiEnv>()
  app.use('*', requestFrame({ clock, log, metrics, https, ...(tracer && { tracer }) }))
  app.onError((error, context) => refusal(error, context, options))
  app.notFound((context) => refusal(notFound('path'), context, options))
  return app
}

/** For processes without the API: health and metrics, and nothing else. */
export function createOperatorApp(options: OperatorOptions): OpenAPIHono<ApiEnv> {
  const app = framedApp(options)
  addOperatorRoutes(app, options)
  for (const path of operatorPaths) allowOnly(app, path, ['GET'])
  return app
}

export function addOperatorRoutes(
  app: OpenAPIHono<ApiEnv>,
  { store, metrics, clock }: OperatorOptions,
): void {
  const readiness = new Readiness(store, clock)
  app.get('/healthz', (context) => {
    context.set('route', '/healthz')
    return context.json({ status: 'alive', ...versions })
  })
  app.get('/readyz', async (context) => {
    context.set('route', '/readyz')
    try {
      await readiness.check()
    } catch {
      const headers = { 'retry-after': '1' }
      throw new ApiError('store_unavailable', 'The database can not be written to.', { headers })
    }
    return context.json({ status: 'ready', ...versions })
  })
  app.get('/metrics', (context) => {
    context.set('route', '/metrics')
    return context.body(metrics.expose(), 200, { 'content-type': expositionType })
  })
}

/** A known path with another method: not that there is nothing, but what there is. */
export function allowOnly(
  app: OpenAPIHono<ApiEnv>,
  path: string,
  methods: readonly string[],
): void {
  const allow = (methods.includes('GET') ? [...methods, 'HEAD'] : methods).join(', ')
  app.all(path, () => {
    throw new ApiError('method_not_allowed', `This path allows only ${allow}.`, {
      headers: { allow },
    })
  })
}

function refusal(error: unknown, context: ApiContext, { log }: OperatorOptions): Response {
  const requestId = context.get('requestId')
  const { problem, headers, unexpected } = problemOf(error, requestId)
  if (unexpected) log.child({ requestId }).failure(error, { operation: context.get('route') })
  return context.body(JSON.stringify(problem), problem.status as 400, { ...headers })
}
