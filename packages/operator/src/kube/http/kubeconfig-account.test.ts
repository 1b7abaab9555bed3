import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { answerJson } from '../../../testing/http/fake-api-server.js'
import { Sandbox } from '../../../testing/http/sandbox.js'
import { selfSigned } from '../../../testing/http/self-signed.js'
import { jobs } from '../kube-object.js'
import { connectKube } from './connect-kube.js'
import { ServiceAccount } from './service-account.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)
const folder = mkdtempSync(join(tmpdir(), 'kron-account-'))
afterAll(() => rmSync(folder, { recursive: true }))

const name = { namespace: 'team-a', name: 'a' }
const job = { metadata: { name: 'a' } }
const authority = selfSigned('server')
const path = join(folder, 'config.yaml')

interface Named {
  readonly server: string
  readonly cluster?: object
  readonly contexts?: readonly object[]
  readonly users?: readonly object[]
}

/** A client as a kubeconfig has it. */
async function client({ server, cluster = {}, contexts, users }: Named, context?: string) {
  const ca = Buffer.from(authority.cert).toString('base64')
  const config = {
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': ca, ...cluster } }],
    users: users ?? [{ name: 'u', user: {} }],
    contexts: contexts ?? [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'here',
  }
  writeFileSync(path, JSON.stringify(config))
  const { api } = await connectKube({ kubeconfig: path, context, environment: {} })
  sandbox.later(() => api.close())
  return api
}

const secure = () => sandbox.serve((_, response) => answerJson(response, job), authority)

describe('a server of a kubeconfig', () => {
  it('is trusted by its certificate', async () => {
    const { url: server } = await secure()
    expect(await (await client({ server })).get(jobs, name)).toEqual(job)
  })

  it.each([
    ['is not signed by the authority', selfSigned('other').cert, {}],
    ['is for another name than the one to expect', authority.cert, { 'tls-server-name': 'other' }],
  ])('is not talked to when its certificate %s', async (_, trusted, more) => {
    const server = await secure()
    const ca = Buffer.from(trusted).toString('base64')
    const cluster = { 'certificate-authority-data': ca, ...more }
    const api = await client({ server: server.url, cluster })
    await expect(api.get(jobs, name)).rejects.toMatchObject({ status: null })
    expect(server.requests).toEqual([])
  })

  it('is trusted blindly where that is asked for', async () => {
    const { url: server } = await secure()
    const cluster = { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true }
    expect(await (await client({ server, cluster })).get(jobs, name)).toEqual(job)
  })

  it('is reached through its proxy', async () => {
    const server = await secure()
    const tunnels: string[] = []
    const proxy = createServer().on('connect', (request, socket) => {
      tunnels.push(request.url!)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    sandbox.later(async () => proxy.close())
    const { port } = proxy.address() as AddressInfo
    const cluster = { 'proxy-url': `http://127.0.0.1:${port}` }
    const api = await client({ server: server.url, cluster })
    await expect(api.get(jobs, name)).rejects.toMatchObject({ status: null })
    expect(tunnels).toEqual([`127.0.0.1:${server.port}`])
  })
})

describe('the user of a kubeconfig', () => {
  it('is the one of the context that was named, also when it is read again', async () => {
    const server = await sandbox.serve((_, response) => answerJson(response, {}, 401), authority)
    const users = ['u', 'v'].map((user) => ({ name: user, user: { token: user } }))
    const contexts = [
      { name: 'here', context: { cluster: 'c', user: 'u' } },
      { name: 'there', context: { cluster: 'c', user: 'v' } },
    ]
    const api = await client({ server: server.url, users, contexts }, 'there')
    for (const _ of [1, 2]) await expect(api.get(jobs, name)).rejects.toThrow()
    const tokens = server.requests.map(({ headers }) => headers.authorization)
    expect(tokens).toEqual(['Bearer v', 'Bearer v'])
  })
})

describe('the account of a Pod', () => {
  it.each([
    ['10.0.0.1', 'https://10.0.0.1:443'],
    ['fd00::1', 'https://[fd00::1]:443'],
    ['kubernetes.default', 'https://kubernetes.default:443'],
  ])('knows its server by %s', (host, server) => {
    expect(new ServiceAccount(host, '443').server).toBe(server)
  })
})
