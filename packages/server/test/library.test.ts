import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Server, type ServerOptions, startServer } from '@kron/server'
import * as webhook from '@kron/server/webhook'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
const running: Server[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-library-'))
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
  await rm(folder, { recursive: true })
})

const lines: string[] = []
const log = { format: 'json', write: (line: string) => void lines.push(line) } as const

async function start(options: Partial<ServerOptions> = {}): Promise<Server> {
  const server = await startServer({ data: join(folder, 'data'), port: 0, log, ...options })
  running.push(server)
  return server
}

describe('startServer of the package', () => {
  it('is all that it exports, beside webhooks', async () => {
    expect(Object.keys(await import('@kron/server'))).toEqual(['startServer'])
    expect(Object.keys(webhook).sort()).toEqual([
      'createWebhookSecret',
      'sign',
      'verificationCodes',
      'verify',
      'webhookHeaders',
    ])
    const installed = fileURLToPath(import.meta.resolve('@kron/server'))
    expect(installed).toMatch(/dist.bundle.index\.js$/)
  })

  it('calls endpoints, whose target can tell that it was this server', async () => {
    const received = Promise.withResolvers<webhook.Verification>()
    let secret = ''
    const target = createServer((request, response) => {
      received.resolve(webhook.verify([secret], request.headers, ''))
      response.end()
    })
    await new Promise<void>((listening) => target.listen(0, '127.0.0.1', listening))
    const address = `127.0.0.1:${(target.address() as AddressInfo).port}`
    const { url, created } = await start({ allow: [address] })
    secret = created!.signingSecret
    const post = async (path: string, body: object): Promise<{ id: string }> => {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${created!.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return (await answer.json()) as { id: string }
    }
    const job = await post('/jobs', { name: 'one' })
    const definition = { name: 'a', url: `http://${address}/`, intervalMs: 3_600_000 }
    const endpoint = await post(`/jobs/${job.id}/endpoints`, definition)
    await post(`/endpoints/${endpoint.id}/run`, {})
    expect(await received.promise).toMatchObject({ valid: true })
    target.close()
  })

  it('goes on with what is there, and stops once', async () => {
    const first = await start()
    expect(first.created).toMatchObject({ name: 'default' })
    await Promise.all([first.stop(), first.stop()])
    const second = await start()
    expect(second.created).toBe(null)
    const { status } = await fetch(`${second.url}/healthz`)
    expect(status).toBe(200)
  })

  it('listens only where it should', async () => {
    expect((await start({ roles: ['worker'], port: null })).url).toBe(null)
  })

  it('says which part can not start, and why', async () => {
    const { url } = await start()
    const port = Number(new URL(url!).port)
    await expect(start({ data: join(folder, 'other'), port })).rejects.toMatchObject({
      name: 'StartError',
      part: 'listener',
      code: 'EADDRINUSE',
    })
    await expect(start({ data: '/dev/null/x' })).rejects.toMatchObject({ part: 'database' })
  })

  it.each([
    [{ prot: 1 }, 'startServer has no option "prot"; did you mean port?'],
    [{ data: undefined }, 'data must be the path of a folder, got undefined'],
    [{ port: 70_000 }, 'port must be a whole number from 0 to 65535, or null, got 70000'],
    [{ roles: ['api', 'cook'] }, 'roles must be a list of api, worker, planner, got an array of 2'],
    [{ roles: [] }, 'roles must be a list of api, worker, planner, got an array of 0'],
    [{ host: '' }, 'host must be an address of this machine, got ""'],
    [{ publicUrl: 'kron' }, 'publicUrl must be an http or https URL, got "kron"'],
    [{ allow: '10.0.0.0/8' }, 'allow must be a list of addresses and ranges, got "10.0.0.0/8"'],
    [{ graceMs: -1 }, 'graceMs must be a whole number of milliseconds, got -1'],
    [{ log: 'json' }, 'log must be an object with format, level and write, got "json"'],
    [{ secretKey: 7 }, 'secretKey must be 32 bytes in base64'],
  ])('refuses %j', async (options, message) => {
    await expect(start(options as never)).rejects.toMatchObject({
      name: 'ConfigurationError',
      message,
    })
  })
})
