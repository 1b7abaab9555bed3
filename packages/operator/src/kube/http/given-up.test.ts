import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, answerJson } from '../../../testing/http/fake-api-server.js'
import { Sandbox } from '../../../testing/http/sandbox.js'
import { jobs } from '../kube-object.js'
import type { HttpKubeApi } from './http-kube-api.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

const name = { namespace: 'team-a', name: 'a' }
const job = { metadata: name, spec: {} }
const query = { resourceVersion: '5', timeoutSeconds: 60 }

type Request = (api: HttpKubeApi, signal: AbortSignal) => Promise<unknown>

const requests: [string, Request][] = [
  ['list', (api, signal) => api.list(jobs, {}, signal)],
  ['get', (api, signal) => api.get(jobs, name, signal)],
  ['create', (api, signal) => api.create(jobs, job, signal)],
  ['try', (api, signal) => api.tryCreate(jobs, job, signal)],
  ['replace', (api, signal) => api.replace(jobs, job, signal)],
  ['patch', (api, signal) => api.patch(jobs, name, {}, {}, signal)],
  ['delete', (api, signal) => api.delete(jobs, name, { propagation: 'Background' }, signal)],
]

describe('a caller who gives up', () => {
  it.each(requests)('is kept waiting by no request to %s', async (_, send) => {
    const caller = new AbortController()
    const reason = new Error('lost the lease')
    const server = await sandbox.serve(() => caller.abort(reason))
    await expect(send(sandbox.client(server.source), caller.signal)).rejects.toBe(reason)
  })
})

describe('the signal of a caller', () => {
  const answers: [string, Answer][] = [
    ['is answered', (_, response) => answerJson(response, job)],
    ['is refused', (_, response) => answerJson(response, {}, 409)],
    ['is cut off', (request) => request.socket.destroy()],
  ]

  it.each(answers)('has no listener left when a request %s', async (_, answer) => {
    const { signal } = new AbortController()
    const server = await sandbox.serve(answer)
    await Promise.allSettled([sandbox.client(server.source).get(jobs, name, signal)])
    expect(server.requests).toHaveLength(1)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it.each(answers)('has no listener left when a watch %s', async (_, answer) => {
    const { signal } = new AbortController()
    const server = await sandbox.serve(answer)
    const watch = sandbox.client(server.source).watch(jobs, query, signal)
    await Promise.allSettled([watch.next()])
    expect(server.requests).toHaveLength(1)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
