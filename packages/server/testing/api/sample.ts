import { newId } from '../../src/domain/index.js'
import { inCall } from '../../src/use-cases/index.js'
import type { ApiWorld, Send, TestTenant } from './api-world.js'

/** Ids of a tenant that has one of everything, by the names that paths have for them. */
export interface Sample {
  readonly jobId: string
  readonly endpointId: string
  readonly runId: string
  readonly sessionId: string
  readonly keyId: string
  readonly name: string
}

export async function newJob(send: Send, name = 'Data sync'): Promise<string> {
  const { body } = await send('POST', '/jobs', { name })
  return body.id
}

export async function newEndpoint(
  send: Send,
  jobId: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const url = 'https://api.example.com/sync'
  const baseline = 'intervalMs' in given ? {} : { cron: '*/5 * * * *' }
  const reply = await send('POST', `/jobs/${jobId}/endpoints`, {
    name: 'Sync users',
    url,
    ...baseline,
    ...given,
  })
  if (reply.status !== 201) throw new Error(`no endpoint: ${reply.text}`)
  return reply.body.id
}

export async function oneOfEverything(
  world: ApiWorld,
  { id: tenantId, send }: TestTenant,
): Promise<Sample> {
  const jobId = await newJob(send)
  const endpointId = await newEndpoint(send, jobId)
  const run = await send('POST', `/endpoints/${endpointId}/run`)
  const key = await send('POST', '/keys', { name: 'Second', scopes: ['admin'] })
  const name = 'receiver'
  await send('PUT', `/secrets/${name}`, {})
  const sessionId = newId('ses', world.clock.now().getTime())
  await inCall(world.ports, { tenantId, actor: 'test' }, ({ rows }) =>
    rows.sessions.append({
      id: sessionId,
      tenantId,
      endpointId,
      planner: 'rules',
      startedAt: rows.now,
      endedAt: rows.now,
      read: {},
      said: 'Nothing to do.',
      actions: [
        { kind: 'pauseUntil', until: rows.now, reason: 'gone' },
        { kind: 'proposeNextTime', nextRunAt: rows.now, ttlMinutes: 5, reason: 'Retry-After' },
        { kind: 'clearHints', reason: 'recovered' },
      ],
      suggested: [],
      refused: [],
      cost: { calls: 0, tokens: 0 },
    }),
  )
  return { jobId, endpointId, runId: run.body.id, keyId: key.body.id, name, sessionId }
}
