import type { OpenAPIHono } from '@hono/zod-openapi'
import { KeyDirectory, KeyUse, LogIns, LogOuts } from '../access/index.js'
import { defaultMaxTenants, signupQuotas } from '../domain/index.js'
import { TenantTurns } from '../domain/tenant-turns.js'
import { type ApiEnv, type ApiOptions, type ApiPorts, defaultLimits } from './api-ports.js'
import { Authenticator } from './authenticator.js'
import { apiPrefix, openApiDocument, routeOf } from './openapi.js'
import type { Operation } from './operation.js'
import { addOperatorRoutes, allowOnly, framedApp, operatorPaths } from './operator-routes.js'
import { perform } from './perform.js'
import { answerOperations } from './routes/answers.js'
import { endpointOperations } from './routes/endpoints.js'
import { eventOperations } from './routes/events.js'
import { jobOperations } from './routes/jobs.js'
import { keyOperations } from './routes/keys.js'
import { plannerOperations } from './routes/planner-sessions.js'
import { runOperations } from './routes/runs.js'
import { secretOperations } from './routes/secrets.js'
import { sessionOperations } from './routes/session.js'
import { tenantOperations } from './routes/tenant.js'

/** The HTTP interface of a server: the API, its document, and what operators look at. */
export function createApi(options: ApiOptions): OpenAPIHono<ApiEnv> {
  const { publicUrl } = options
  const app = framedApp(options)
  const ports = portsOf(options, publicUrl?.startsWith('https:') ?? false)
  const operations = allOperations()
  for (const operation of operations) app.openAPIRegistry.registerPath(routeOf(operation))
  const served = operations.filter((each) => !each.needsSignup || options.signup === 'open')
  for (const operation of served) addOperation(app, operation, ports)
  addDocument(app, publicUrl)
  addOperatorRoutes(app, options)
  addOtherMethods(app, served)
  return app
}

function portsOf(options: ApiOptions, https: boolean): ApiPorts {
  const { store, vault, addressGuard, clock, log, signup } = options
  const limits = { ...defaultLimits, ...options.limits }
  const keys = new KeyDirectory(store, clock)
  const use = new KeyUse(store, log)
  const logIns = new LogIns(store, log)
  const logOuts = new LogOuts(store)
  return {
    store,
    vault,
    addressGuard,
    clock,
    log,
    limits,
    keys,
    forecasts: new TenantTurns(1, limits.forecastsWaiting),
    authenticator: new Authenticator({ keys, use, logIns, logOuts, vault, clock, limits }),
    secureCookies: https,
    signup,
    signupQuotas: options.signupQuotas ?? signupQuotas,
    maxTenants: options.maxTenants ?? defaultMaxTenants,
    stopping: options.stopping ?? new AbortController().signal,
  }
}

const honoPath = (path: string): string => `${apiPrefix}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

function addOperation(app: OpenAPIHono<ApiEnv>, operation: Operation, ports: ApiPorts): void {
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

function addOtherMethods(app: OpenAPIHono<ApiEnv>, operations: readonly Operation[]): void {
  const methods = new Map<string, string[]>()
  for (const { path, method } of operations) {
    const known = methods.get(honoPath(path)) ?? []
    methods.set(honoPath(path), [...known, method.toUpperCase()])
  }
  for (const path of [`${apiPrefix}/openapi.json`, ...operatorPaths]) methods.set(path, ['GET'])
  for (const [path, known] of methods) allowOnly(app, path, known)
}

/** Everything that the API can do. */
export function allOperations(): readonly Operation[] {
  return [
    ...tenantOperations,
    ...sessionOperations,
    ...jobOperations,
    ...endpointOperations,
    ...answerOperations,
    ...runOperations,
    ...plannerOperations,
    ...keyOperations,
    ...secretOperations,
    ...eventOperations(),
  ]
}
