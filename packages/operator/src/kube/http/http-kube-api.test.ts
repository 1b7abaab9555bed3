import { afterEach, describe, expect, it } from 'vitest'
import { answerJson } from '../../../testing/http/fake-api-server.js'
import { Sandbox } from '../../../testing/http/sandbox.js'
import { jobs, kronJobs, leases } from '../kube-object.js'
import type { HttpKubeApi } from './http-kube-api.js'
import type { ObservedRequest } from './transport.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

const namespace = 'team-a'
const job = { metadata: { name: 'a', namespace }, spec: { from: { the: 'future' } } }
const name = { namespace, name: 'a' }

describe('a request', () => {
  const patchBody = { status: { active: [] } }
  const cases: [string, (api: HttpKubeApi) => Promise<unknown>, string, object | null][] = [
    ['get', (api) => api.get(jobs, name), 'GET /apis/batch/v1/namespaces/team-a/jobs/a', null],
    [
      'create',
      (api) => api.create(jobs, job),
      'POST /apis/batch/v1/namespaces/team-a/jobs application/json',
      job,
    ],
    [
      'replace',
      (api) => api.replace(leases, job),
      'PUT /apis/coordination.k8s.io/v1/namespaces/team-a/leases/a application/json',
      job,
    ],
    [
      'patch',
      (api) => api.patch(kronJobs, name, patchBody, { subresource: 'status' }),
      'PATCH /apis/kron.io/v1alpha1/namespaces/team-a/kronjobs/a/status application/merge-patch+json',
      patchBody,
    ],
    [
      'delete',
      (api) => api.delete(jobs, name, { propagation: 'Foreground', uid: 'u' }),
      'DELETE /apis/batch/v1/namespaces/team-a/jobs/a application/json',
      {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Foreground',
        preconditions: { uid: 'u' },
      },
    ],
  ]

  it.each(cases)('to %s goes out as JSON and comes back untouched', async (_, send, line, body) => {
    const server = await sandbox.serve((_request, response) => answerJson(response, job))
    const answer = await send(sandbox.client(server.source))
    expect(answer ?? job).toEqual(job)
    const [{ method, path, headers, body: sent }] = server.requests as [never]
    expect([method, path, headers['content-type']].filter(Boolean).join(' ')).toBe(line)
    expect(sent === '' ? null : JSON.parse(sent)).toEqual(body)
  })

  it('to try a create is a dry run that refuses unknown fields, and answers warnings', async () => {
    const server = await sandbox.serve((_request, response) => {
      response.setHeader('warning', '299 - "spec.from is unheard of"')
      answerJson(response, job, 201)
    })
    const warnings = await sandbox.client(server.source).tryCreate(jobs, job)
    expect(warnings).toEqual(['spec.from is unheard of'])
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/apis/batch/v1/namespaces/team-a/jobs?dryRun=All&fieldValidation=Strict',
        body: JSON.stringify(job),
      },
    ])
  })

  it('lists a page of a namespace or of all of them, below the path of the server', async () => {
    const server = await sandbox.serve((request, response) => {
      const next = request.path.includes('team-a') ? 'more' : ''
      answerJson(response, { metadata: { resourceVersion: '7', continue: next }, items: [job] })
    })
    const api = sandbox.client({ ...server.source, server: `${server.url}/clusters/one` })
    const query = { namespace, labelSelector: 'a=b,c', limit: 5, continue: 'x+y' }
    expect(await api.list(jobs, query)).toEqual({
      resourceVersion: '7',
      continue: 'more',
      items: [job],
    })
    expect(await api.list(jobs, {})).toEqual({ resourceVersion: '7', items: [job] })
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/clusters/one/apis/batch/v1/namespaces/team-a/jobs' +
        '?labelSelector=a%3Db%2Cc&limit=5&continue=x%2By',
      '/clusters/one/apis/batch/v1/jobs',
    ])
  })

  it.each(['', '.', '..'])('with the name "%s" is not sent', async (wrong) => {
    const server = await sandbox.serve((_request, response) => answerJson(response, {}))
    const api = sandbox.client(server.source)
    const options = { propagation: 'Background' } as const
    const code = 'KRON_INVARIANT'
    await expect(api.delete(jobs, { namespace, name: wrong }, options)).rejects.toMatchObject({
      code,
    })
    await expect(api.get(jobs, { namespace: wrong, name: 'a' })).rejects.toMatchObject({ code })
    expect(server.requests).toEqual([])
  })

  it('waits for a connection, of which there are no more than allowed', async () => {
    const waiting: (() => void)[] = []
    const server = await sandbox.serve((_request, response) => {
      waiting.push(() => answerJson(response, job))
      if (server.requests.length !== 2) return
      expect(server.sockets.size).toBe(2)
      for (const answer of waiting.splice(0)) answer()
      waiting.push = (answer) => {
        answer()
        return 0
      }
    })
    const api = sandbox.client(server.source, { connections: 2 })
    await Promise.all(Array.from({ length: 6 }, () => api.get(jobs, name)))
    expect(server.requests).toHaveLength(6)
    expect(server.sockets.size).toBe(2)
  })

  it('is reported when it has ended, with its status or without', async () => {
    const server = await sandbox.serve((request, response) => {
      if (request.method === 'GET') answerJson(response, {}, 404)
      else request.socket.destroy()
    })
    const observed: ObservedRequest[] = []
    const observe = (request: ObservedRequest) => observed.push(request)
    const api = sandbox.client(server.source, { observe })
    await expect(api.get(jobs, name)).rejects.toThrow()
    await expect(api.create(leases, job)).rejects.toThrow()
    expect(observed).toMatchObject([
      { verb: 'get', resource: 'jobs', status: 404 },
      { verb: 'create', resource: 'leases', status: 'none' },
    ])
    for (const { durationMs } of observed) expect(durationMs).toBeGreaterThan(0)
  })

  it('is refused when the client was closed', async () => {
    const server = await sandbox.serve((_request, response) => answerJson(response, job))
    const api = sandbox.client(server.source)
    await api.get(jobs, name)
    await api.close()
    await expect(api.get(jobs, name)).rejects.toMatchObject({ code: 'KRON_API', status: null })
    expect(server.requests).toHaveLength(1)
  })
})
