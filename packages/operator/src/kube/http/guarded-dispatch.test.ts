import { afterEach, describe, expect, it } from 'vitest'
import { answerJson } from '../../../testing/http/fake-api-server.js'
import { Sandbox } from '../../../testing/http/sandbox.js'
import { jobs } from '../kube-object.js'
import type { HttpKubeApi } from './http-kube-api.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

const job = { metadata: { name: 'a', namespace: 'team-a' }, spec: {} }

describe('a guarded request', () => {
  it('goes out as any other while it is allowed', async () => {
    const server = await sandbox.serve((_, response) => answerJson(response, job))
    const api = sandbox.client(server.source).guardedBy(() => undefined)
    expect(await api.create(jobs, job)).toEqual(job)
  })

  it('is not sent when what allowed it has ended while it waited for a connection', async () => {
    const held: (() => void)[] = []
    const server = await sandbox.serve((_, response) => {
      held.push(() => answerJson(response, job))
    })
    let isAllowed = true
    const refusal = new Error('not any more')
    const client = sandbox.client(server.source, { connections: 1 })
    const api = client.guardedBy(() => {
      if (!isAllowed) throw refusal
    })
    const first = api.create(jobs, job)
    const second = api.create(jobs, job)
    await expect.poll(() => held.length).toBe(1)
    isAllowed = false
    held[0]!()
    expect(await first).toEqual(job)
    await expect(second).rejects.toBe(refusal)
    expect(server.requests).toHaveLength(1)
  })

  const changes: [string, (api: HttpKubeApi) => Promise<unknown>][] = [
    ['create', (api) => api.create(jobs, job)],
    ['replace', (api) => api.replace(jobs, job)],
    ['patch', (api) => api.patch(jobs, job.metadata, {})],
    ['delete', (api) => api.delete(jobs, job.metadata, { propagation: 'Background' })],
  ]

  it.each(changes)('to %s is not sent once that is not allowed', async (_, send) => {
    const server = await sandbox.serve((_request, response) => answerJson(response, job))
    const refusal = new Error('not any more')
    const api = sandbox.client(server.source).guardedBy(() => {
      throw refusal
    })
    await expect(send(api)).rejects.toBe(refusal)
    expect(server.requests).toEqual([])
  })

  it('is asked about by every guard it was given', async () => {
    const server = await sandbox.serve((_, response) => answerJson(response, job))
    const asked: string[] = []
    const guarded = sandbox.client(server.source).guardedBy(() => void asked.push('lease'))
    await guarded.guardedBy(() => void asked.push('period')).create(jobs, job)
    expect(asked).toEqual(['lease', 'period'])
    await guarded.create(jobs, job)
    expect(asked).toEqual(['lease', 'period', 'lease'])
  })

  it('may always read, and leaves others alone', async () => {
    const server = await sandbox.serve((_, response) => answerJson(response, job))
    const client = sandbox.client(server.source, { connections: 1 })
    const api = client.guardedBy(() => {
      throw new Error('never')
    })
    await expect(api.create(jobs, job)).rejects.toThrow('never')
    expect(await api.get(jobs, job.metadata)).toEqual(job)
    expect(await client.create(jobs, job)).toEqual(job)
  })

  it('can still be given up', async () => {
    const server = await sandbox.serve(() => undefined)
    const api = sandbox.client(server.source).guardedBy(() => undefined)
    const end = new AbortController()
    const asked = api.create(jobs, job, end.signal)
    await expect.poll(() => server.requests.length).toBe(1)
    end.abort('enough')
    await expect(asked).rejects.toBe('enough')
  })
})
