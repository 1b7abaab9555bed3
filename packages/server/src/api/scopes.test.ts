import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiWorld, type Send } from '../../testing/api/api-world.js'
import { type Scope, scopes } from '../domain/index.js'
import { allOperations } from './create-api.js'

/** What each operation needs; null is nothing. A new one has to be added here. */
const needed: Readonly<Record<string, Scope | null>> = {
  getTenant: 'read',
  getQuotas: 'read',
  listAudit: 'admin',
  createTenant: null,
  logIn: null,
  getSession: null,
  logOut: null,
  listJobs: 'read',
  createJob: 'write',
  getJob: 'read',
  updateJob: 'write',
  deleteJob: 'write',
  pauseJob: 'write',
  resumeJob: 'write',
  archiveJob: 'write',
  listEndpoints: 'read',
  listEndpointsOfJob: 'read',
  createEndpoint: 'write',
  getEndpoint: 'read',
  updateEndpoint: 'write',
  deleteEndpoint: 'write',
  pauseEndpoint: 'write',
  resumeEndpoint: 'write',
  archiveEndpoint: 'write',
  resetFailures: 'write',
  runEndpoint: 'run',
  hintInterval: 'write',
  hintOneShot: 'write',
  clearHints: 'write',
  nextRuns: 'read',
  explainEndpoint: 'read',
  endpointAdvice: 'read',
  endpointHealth: 'read',
  forecast: 'read',
  listRuns: 'read',
  listRunsOfEndpoint: 'read',
  getRun: 'read',
  getRunBody: 'read',
  cancelRun: 'run',
  replayRun: 'run',
  listPlannerSessions: 'read',
  getPlannerSession: 'read',
  listKeys: 'admin',
  createKey: 'admin',
  getKey: 'admin',
  revokeKey: 'admin',
  listSecrets: 'admin',
  getSecret: 'admin',
  putSecret: 'admin',
  deleteSecret: 'admin',
  rotateSecret: 'admin',
  followEvents: 'read',
}

const enough: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read', 'write', 'run', 'admin'],
  write: ['write', 'admin'],
  run: ['run', 'admin'],
  admin: ['admin'],
}

describe('scopes', () => {
  let world: ApiWorld
  const senders = new Map<Scope, Send>()

  beforeAll(async () => {
    world = await ApiWorld.open()
    const { id } = await world.tenant()
    for (const scope of scopes) {
      senders.set(scope, world.sender(await world.keyWith(id, [scope])))
    }
  })
  afterAll(() => world.close())

  it('are decided for every operation', () => {
    const declared = allOperations().map(({ operationId, scope }) => [operationId, scope])
    expect(Object.fromEntries(declared)).toEqual(needed)
  })

  it.each(allOperations().map((operation) => [operation.operationId, operation] as const))(
    'keep those out of %s who lack them, and let the others in',
    async (id, { method, path, bodyExample, scope }) => {
      const target = path.replaceAll(/\{\w+\}/g, 'none')
      // HEAD begins no stream that would have to be ended.
      const verb = id === 'followEvents' ? 'HEAD' : method.toUpperCase()
      const anonymous = await world.sender(null)(verb, target, bodyExample)
      if (scope !== null) expect(anonymous.status).toBe(401)
      for (const [held, send] of senders) {
        const reply = await send(verb, target, bodyExample)
        const mayPass = scope === null || enough[scope].includes(held)
        const isKeptOut = reply.status === 403 && reply.body?.code !== 'quota_exceeded'
        expect([held, isKeptOut]).toEqual([held, !mayPass])
      }
    },
  )
})
