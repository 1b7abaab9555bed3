import { afterEach, describe, expect, it } from 'vitest'
import { answerJson } from '../../../testing/http/fake-api-server.js'
import { Sandbox } from '../../../testing/http/sandbox.js'
import { jobs } from '../kube-object.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

const name = { namespace: 'team-a', name: 'a' }

describe('connections that are opened ahead', () => {
  it('are as many as asked for, and the next request uses one of them', async () => {
    const server = await sandbox.serve((_, response) => answerJson(response, { metadata: name }))
    const api = sandbox.client({ ...server.source, server: `${server.url}/clusters/one` })
    await api.warmUp(3)
    expect(server.requests.map(({ path }) => path)).toEqual(
      Array.from({ length: 3 }, () => '/clusters/one/version'),
    )
    const opened = new Set(server.requests.map(({ socket }) => socket))
    expect(opened.size).toBe(3)
    await api.get(jobs, name)
    expect(opened.has(server.requests[3]!.socket)).toBe(true)
  })

  it('are no trouble when there is no server', async () => {
    const server = await sandbox.serve(() => {})
    const api = sandbox.client(server.source)
    await server.close()
    await expect(api.warmUp(2)).resolves.toBeUndefined()
  })

  it('are no trouble when there are no credentials', async () => {
    const server = await sandbox.serve(() => {})
    const read = () => Promise.reject(new Error('no token'))
    await expect(sandbox.client({ ...server.source, read }).warmUp(2)).resolves.toBeUndefined()
    expect(server.requests).toEqual([])
  })
})
