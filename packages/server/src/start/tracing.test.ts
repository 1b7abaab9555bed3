import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startQuietService } from '../../testing/start/quiet-service.js'
import type { Service } from './service.js'

/** As OTLP has it over HTTP in JSON. */
interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[]
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const clientSpan = 'b7ad6b7169203331'
const kinds = { internal: 1, server: 2, client: 3 }

let folder: string
let servers: Server[]
let spans: SentSpan[]
let lines: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kron-tracing-'))
  servers = []
  spans = []
  lines = []
})
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await rm(folder, { recursive: true })
})

async function listening(
  answer: (body: string, headers: IncomingHttpHeaders) => number,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.statusCode = answer(Buffer.concat(chunks).toString(), request.headers)
    response.end('{}')
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const collector = () =>
  listening((body) => {
    const { resourceSpans } = JSON.parse(body)
    for (const { resource, scopeSpans } of resourceSpans) {
      expect(attributesOf(resource)).toMatchObject({ 'service.name': 'jobs' })
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    return 200
  })

/** What endpoints call; `called` has the headers of the first request. */
async function target(status: number) {
  const { promise: called, resolve } = Promise.withResolvers<IncomingHttpHeaders>()
  const targetUrl = await listening((_, headers) => {
    resolve(headers)
    return status
  })
  return { targetUrl, called }
}

function started(collectorUrl: string | null): Promise<Service> {
  const settings = { url: `${collectorUrl}/v1/traces`, serviceName: 'jobs', sampled: 1 }
  const tracing = collectorUrl === null ? null : settings
  return startQuietService(folder, { tracing }, (line) => lines.push(line))
}

const attributesOf = ({ attributes }: Pick<SentSpan, 'attributes'>): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Has one endpoint called once, and stops. */
async function oneRun(service: Service, targetUrl: string, called: Promise<unknown>) {
  const call = async (path: string, body: unknown) => {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.created!.text}`,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-${clientSpan}-01`,
      },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { readonly id: string }
  }
  const job = await call('/jobs', { name: 'traced' })
  const url = `${targetUrl}/secret-path?token=secret`
  const fields = { name: 'x', url, method: 'POST', intervalMs: 3_600_000 }
  const endpoint = await call(`/jobs/${job.id}/endpoints`, fields)
  await fetch(`${service.url}/healthz`)
  const run = await call(`/endpoints/${endpoint.id}/run`, {})
  await called
  await service.stop()
  return run.id
}

describe('a service with a collector of traces', () => {
  it.each([200, 500])('sends its requests and runs: a target that answers %d', async (status) => {
    const { targetUrl, called } = await target(status)
    const runId = await oneRun(await started(await collector()), targetUrl, called)
    const seen = await called

    const named = (name: string) => spans.filter((span) => span.name === name)
    const requests = spans.filter(({ kind }) => kind === kinds.server)
    expect(requests.map(({ name }) => name)).toEqual([
      'POST /jobs',
      'POST /jobs/{jobId}/endpoints',
      'POST /endpoints/{endpointId}/run',
    ])
    for (const request of requests) {
      expect(request).toMatchObject({ traceId, parentSpanId: clientSpan })
    }
    const [run] = named('run')
    const [sent] = named('POST')
    expect(attributesOf(run!)).toMatchObject({
      'kron.run.id': runId,
      'kron.run.source': 'manual',
      'kron.run.status': status === 200 ? 'success' : 'failure',
      'kron.run.attempts': 1,
    })
    expect(sent).toMatchObject({ traceId: run!.traceId, parentSpanId: run!.spanId, kind: 3 })
    expect(attributesOf(sent!)).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': status,
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(targetUrl).port),
    })
    expect(seen['traceparent']).toBe(`00-${sent!.traceId}-${sent!.spanId}-01`)
    for (const span of [run!, sent!]) expect(span.status.code ?? 0).toBe(status === 200 ? 0 : 2)
    expect(named('claim').map((span) => attributesOf(span)['kron.claim.runs'])).toEqual([1])
    expect(JSON.stringify(spans)).not.toContain('secret')
    expect(lines).toEqual([])
  })

  it('that is away works on, says so, and stops', async () => {
    const { targetUrl, called } = await target(200)
    const gone = await listening(() => 400)
    await oneRun(await started(gone), targetUrl, called)
    expect(lines.join()).toContain('tracing_failed')
  })
})

it('without one sends nothing, and its requests name no trace', async () => {
  const { targetUrl, called } = await target(200)
  await oneRun(await started(null), targetUrl, called)
  expect((await called)['traceparent']).toBeUndefined()
})
