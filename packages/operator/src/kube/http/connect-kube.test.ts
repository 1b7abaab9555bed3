import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { ConfigurationError } from '@kron/core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { answerJson, type FakeApiServer } from '../../../testing/http/fake-api-server.js'
import { Sandbox } from '../../../testing/http/sandbox.js'
import { selfSigned } from '../../../testing/http/self-signed.js'
import { jobs } from '../kube-object.js'
import { type ConnectOptions, connectKube } from './connect-kube.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)
const folder = mkdtempSync(join(tmpdir(), 'kron-kubeconfig-'))
afterAll(() => rmSync(folder, { recursive: true }))

const name = { namespace: 'team-a', name: 'a' }
const authority = selfSigned('server')

function file(path: string, content: string | object): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(folder, path), text)
  return join(folder, path)
}

/** Accepts one token, and tells which headers it got. */
async function secured(state: { token: string }): Promise<FakeApiServer> {
  return await sandbox.serve((request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${state.token}`
    answerJson(response, { metadata: { name: 'a' } }, isKnown ? 200 : 401)
  }, authority)
}

async function connected(options: ConnectOptions) {
  const connection = await connectKube({ environment: { HOME: folder }, ...options })
  sandbox.later(() => connection.api.close())
  return connection
}

const kubeconfig = (server: string, user: object, context: object = {}) => ({
  clusters: [
    {
      name: 'c',
      cluster: {
        server,
        'certificate-authority-data': Buffer.from(authority.cert).toString('base64'),
      },
    },
  ],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', ...context } }],
  'current-context': 'here',
})

describe('a kubeconfig', () => {
  it('says where the server is, who we are and which namespace we are in', async () => {
    const server = await secured({ token: 'secret' })
    const config = kubeconfig(server.url, { token: 'secret' }, { namespace: 'team-b' })
    const connection = await connected({ kubeconfig: file('token.yaml', config) })
    expect(connection).toMatchObject({ namespace: 'team-b', server: server.url })
    expect(await connection.api.get(jobs, name)).toEqual({ metadata: { name: 'a' } })
  })

  it.each<[string, object, Record<string, string>]>([
    [
      'a name and a password',
      { username: 'me', password: 'ü' },
      { authorization: 'Basic bWU6w7w=' },
    ],
    ['impersonation', { as: 'other' }, { 'impersonate-user': 'other' }],
  ])('can have %s', async (_, user, headers) => {
    const server = await secured({ token: '' })
    const path = file('headers.yaml', kubeconfig(server.url, user))
    const { api } = await connected({ kubeconfig: path })
    await expect(api.get(jobs, name)).rejects.toMatchObject({ status: 401 })
    expect(server.requests[0]!.headers).toMatchObject(headers)
  })

  it('without a user still knows its authority', async () => {
    const server = await secured({ token: 'secret' })
    const config = { ...kubeconfig(server.url, {}, { user: undefined }), users: [] }
    const { api } = await connected({ kubeconfig: file('nobody.yaml', config) })
    await expect(api.get(jobs, name)).rejects.toMatchObject({ status: 401 })
  })

  it('may lead to plain HTTP, as kubectl proxy speaks it', async () => {
    const server = await sandbox.serve((_, response) => answerJson(response, { metadata: {} }))
    const config = kubeconfig(server.url, {})
    const { api, namespace } = await connected({ kubeconfig: file('plain.yaml', config) })
    expect(namespace).toBe('default')
    expect(await api.get(jobs, name)).toEqual({ metadata: {} })
  })

  it('may name a file with a token, which is read again when it is refused', async () => {
    const state = { token: 'first' }
    const server = await secured(state)
    file('token', 'first\n')
    const path = file('token-file.yaml', kubeconfig(server.url, { tokenFile: 'token' }))
    const { api } = await connected({ kubeconfig: path })
    await api.get(jobs, name)
    state.token = 'second'
    file('token', 'second\n')
    await expect(api.get(jobs, name)).rejects.toMatchObject({ status: 401 })
    expect(await api.get(jobs, name)).toEqual({ metadata: { name: 'a' } })
  })

  it('may name a command, which is run again when its token is refused', async () => {
    const state = { token: 'first' }
    const server = await secured(state)
    const script = `
      const token = require('node:fs').readFileSync(process.argv[1], 'utf8')
      console.log(JSON.stringify({ status: { token } }))`
    const args = ['-e', script, file('plugin-token', 'first')]
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args }
    const path = file('exec.yaml', kubeconfig(server.url, { exec }))
    const { api } = await connected({ kubeconfig: path })
    await api.get(jobs, name)
    state.token = 'second'
    file('plugin-token', 'second')
    await expect(api.get(jobs, name)).rejects.toMatchObject({ status: 401 })
    expect(await api.get(jobs, name)).toEqual({ metadata: { name: 'a' } })
  })

  it('may be several files, of which the first to name something wins', async () => {
    const one = file('one.yaml', { ...kubeconfig('https://one', {}), 'current-context': 'there' })
    const other = file('two.yaml', {
      ...kubeconfig('https://two', {}),
      contexts: [{ name: 'there', context: { cluster: 'c', user: 'u', namespace: 'two' } }],
    })
    const paths = [join(folder, 'missing.yaml'), one, other].join(delimiter)
    const environment = { KUBECONFIG: paths }
    expect(await connected({ environment })).toMatchObject({
      server: 'https://one',
      namespace: 'two',
    })
    expect(await connected({ environment, context: 'here' })).toMatchObject({
      namespace: 'default',
    })
  })

  const valid = kubeconfig('https://one', {})
  it.each<[string, string | object, ConnectOptions, string, RegExp]>([
    ['is not YAML', 'a: [', {}, 'KRON_FILE_UNREADABLE', /is not a kubeconfig/],
    ['is empty', '', {}, 'KRON_FILE_UNREADABLE', /is not a kubeconfig/],
    [
      'has no current context',
      { ...valid, 'current-context': '' },
      {},
      'KRON_ARGUMENT_INVALID',
      /has no current context: pass --context/,
    ],
    [
      'has not the context',
      valid,
      { context: 'hare' },
      'KRON_ARGUMENT_INVALID',
      /has no context "hare"; did you mean here\?/,
    ],
    [
      'has not the cluster',
      { ...valid, clusters: [] },
      {},
      'KRON_ARGUMENT_INVALID',
      /context "here" names the cluster "c", which is not in/,
    ],
    [
      'has no address of a server',
      kubeconfig('nowhere', {}),
      {},
      'KRON_FILE_UNREADABLE',
      /server "nowhere" is not a URL/,
    ],
    [
      'names a certificate that is not there',
      kubeconfig('https://one', { 'client-certificate': 'gone.crt' }),
      {},
      'KRON_FILE_UNREADABLE',
      /credentials for https:\/\/one can't be used: ENOENT/,
    ],
    [
      'has a certificate that is none',
      kubeconfig('https://one', { 'client-certificate-data': 'AAAA' }),
      {},
      'KRON_FILE_UNREADABLE',
      /credentials for https:\/\/one can't be used/,
    ],
  ])('that %s is refused', async (_, content, options, code, message) => {
    const path = file('broken.yaml', content)
    const failure = await connected({ ...options, kubeconfig: path }).catch((error) => error)
    expect(failure).toBeInstanceOf(ConfigurationError)
    expect(failure).toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it.each<[string, ConnectOptions]>([
    ['that is named', { kubeconfig: join(folder, 'gone.yaml') }],
    ['of KUBECONFIG', { environment: { KUBECONFIG: join(folder, 'gone.yaml') } }],
  ])('%s must be there', async (_, options) => {
    await expect(connected(options)).rejects.toMatchObject({
      code: 'KRON_FILE_UNREADABLE',
      message: expect.stringMatching(/the kubeconfig ".*gone.yaml" can't be read: ENOENT/),
    })
  })
})

describe('a pod', () => {
  const accountFolder = join(folder, 'account')
  mkdirSync(accountFolder)

  function mount(server: FakeApiServer, token: string): ConnectOptions {
    file('account/ca.crt', authority.cert)
    file('account/token', `${token}\n`)
    file('account/namespace', 'team-c')
    const environment = {
      HOME: folder,
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String(server.port),
    }
    return { environment, serviceAccountFolder: accountFolder }
  }

  it('has a service account, whose token is read again when it is refused', async () => {
    const state = { token: 'first' }
    const server = await secured(state)
    const { api, namespace } = await connected(mount(server, 'first'))
    expect(namespace).toBe('team-c')
    await api.get(jobs, name)
    state.token = 'second'
    file('account/token', 'second')
    await expect(api.get(jobs, name)).rejects.toMatchObject({ status: 401 })
    expect(await api.get(jobs, name)).toEqual({ metadata: { name: 'a' } })
  })

  it('comes after KUBECONFIG and before the home folder, unless it is asked for', async () => {
    const server = await secured({ token: '' })
    const options = mount(server, 'x')
    const path = file('elsewhere.yaml', kubeconfig('https://elsewhere', {}))
    mkdirSync(join(folder, '.kube'), { recursive: true })
    file('.kube/config', kubeconfig('https://home', {}))
    const both = { ...options, environment: { ...options.environment, KUBECONFIG: path } }
    expect((await connected(both)).server).toBe('https://elsewhere')
    expect((await connected({ ...both, inCluster: true })).server).toBe(server.url)
    expect((await connected(options)).server).toBe(server.url)
    expect((await connected({ ...options, context: 'here' })).server).toBe('https://home')
    expect((await connected({})).server).toBe('https://home')
  })

  it('or a kubeconfig must be there', async () => {
    const environment = { HOME: join(folder, 'empty') }
    await expect(connectKube({ environment })).rejects.toMatchObject({
      code: 'KRON_ARGUMENT_INVALID',
      message: 'no cluster is configured: pass --kubeconfig, set KUBECONFIG, or run in a Pod',
    })
    await expect(connectKube({ environment, inCluster: true })).rejects.toMatchObject({
      message: 'no cluster is configured: this process is not in a Pod',
    })
  })
})
