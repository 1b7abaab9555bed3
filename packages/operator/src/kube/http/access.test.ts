import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import {
  answerJson,
  type FakeApiServer,
  type Received,
} from '../../../testing/http/fake-api-server.js'
import { Sandbox } from '../../../testing/http/sandbox.js'
import { selfSigned } from '../../../testing/http/self-signed.js'
import { jobs } from '../kube-object.js'
import type { Access, TlsOptions } from './credentials.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

const name = { namespace: 'team-a', name: 'a' }
const job = { metadata: { name: 'a' } }

/** A source whose access a test can change; what is forgotten is read again. */
function changeable(server: FakeApiServer, initial: Access) {
  const state = { access: initial, forgotten: 0 }
  const source = {
    ...server.source,
    read: async () => state.access,
    forget: () => {
      state.forgotten++
    },
  }
  return { state, source }
}

const bearing = (token: string, tls: TlsOptions = {}): Access => ({
  headers: { authorization: `Bearer ${token}` },
  tls,
})

describe('access', () => {
  it('that is refused fails the request, and is fresh for the next one', async () => {
    let valid = 'first'
    const server = await sandbox.serve((request, response) => {
      const isValid = request.headers.authorization === `Bearer ${valid}`
      answerJson(
        response,
        isValid ? job : { kind: 'Status', reason: 'Unauthorized' },
        isValid ? 200 : 401,
      )
    })
    const { state, source } = changeable(server, bearing('first'))
    const api = sandbox.client(source)
    await api.get(jobs, name)
    valid = 'second'
    state.access = bearing('second')
    const failures = await Promise.allSettled([api.get(jobs, name), api.get(jobs, name)])
    for (const failure of failures) {
      expect(failure).toMatchObject({ reason: { status: 401, reason: 'Unauthorized' } })
    }
    expect(state.forgotten).toBe(1)
    expect(await api.get(jobs, name)).toEqual(job)
  })

  it('that is refused to a watch is fresh for the next request', async () => {
    const server = await sandbox.serve((_, response) => answerJson(response, {}, 401))
    const { state, source } = changeable(server, bearing('first'))
    const query = { resourceVersion: '1', timeoutSeconds: 1 }
    const watch = sandbox.client(source).watch(jobs, query, new AbortController().signal)
    await expect(watch[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: 401 })
    expect(state.forgotten).toBe(1)
  })

  describe('over TLS', () => {
    const authority = selfSigned('server')
    const [first, second] = [selfSigned('first'), selfSigned('second')]
    const tls = {
      ...authority,
      requestCert: true,
      rejectUnauthorized: false,
      ca: [first.cert, second.cert],
    }
    const clientOf = ({ socket }: Received): string => {
      const { authorized } = socket as TLSSocket
      return authorized
        ? ((socket as TLSSocket).getPeerCertificate().subject.CN as string)
        : 'nobody'
    }
    const secure = (): Promise<FakeApiServer> =>
      sandbox.serve((request, response) => {
        if (request.headers['authorization'] === 'Bearer bad') answerJson(response, {}, 401)
        else answerJson(response, { metadata: { name: clientOf(request) } })
      }, tls)

    it('needs a server whose certificate is signed by the authority', async () => {
      const server = await secure()
      const ca = authority.cert
      const trusting = sandbox.client(changeable(server, bearing('', { ca })).source)
      expect(await trusting.get(jobs, name)).toEqual({ metadata: { name: 'nobody' } })
      const careless = bearing('', { rejectUnauthorized: false })
      await sandbox.client(changeable(server, careless).source).get(jobs, name)
      const wary = sandbox.client(changeable(server, bearing('', { ca: first.cert })).source)
      await expect(wary.get(jobs, name)).rejects.toMatchObject({ status: null })
      expect(server.requests).toHaveLength(2)
    })

    it('shows the client certificate, and a new one on new connections', async () => {
      const server = await secure()
      const ca = authority.cert
      const { state, source } = changeable(server, bearing('', { ca, ...first }))
      const api = sandbox.client(source)
      expect((await api.get(jobs, name)).metadata.name).toBe('first')
      state.access = bearing('bad', { ca, ...first })
      const another = sandbox.client(source)
      await expect(another.get(jobs, name)).rejects.toMatchObject({ status: 401 })
      state.access = bearing('', { ca, ...second })
      expect((await another.get(jobs, name)).metadata.name).toBe('second')
    })

    it('goes through a proxy', async () => {
      const server = await secure()
      const tunnels: string[] = []
      const proxy = createServer()
      proxy.on('connect', (request, client: Socket) => {
        tunnels.push(request.url!)
        const upstream = connect(server.port, '127.0.0.1', () => {
          client.write('HTTP/1.1 200 Connection established\r\n\r\n')
          upstream.pipe(client).pipe(upstream)
        })
        for (const socket of [client, upstream]) socket.on('error', () => upstream.destroy())
      })
      proxy.listen(0, '127.0.0.1')
      await once(proxy, 'listening')
      sandbox.later(async () => proxy.close())
      const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
      const { source } = changeable(server, bearing('', { ca: authority.cert, ...first }))
      const api = sandbox.client({ ...source, proxyUrl })
      expect((await api.get(jobs, name)).metadata.name).toBe('first')
      expect(tunnels).toEqual([`127.0.0.1:${server.port}`])
      await api.close()
    })
  })
})
