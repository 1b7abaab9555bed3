import { ConfigurationError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleEndpoint, sampleId, sampleNow } from '../../testing/sample-endpoint.js'
import type { Body, EndpointDefinition } from '../domain/index.js'
import { createVault, newSealingKeyText, parseSealingKeys, VaultError } from '../secrets/index.js'
import type { ClaimedRun } from '../store/index.js'
import { createWebhookSecret, verify } from '../webhook/index.js'
import { RequestTemplate } from './request-template.js'

const vault = createVault(parseSealingKeys(newSealingKeyText(), 'test'))
const { tenantId } = sampleEndpoint()
const id = `run_${sampleId.slice(3)}_${sampleNow.toString(36)}`

const run: ClaimedRun = {
  endpointId: sampleId,
  tenantId,
  version: 1,
  scheduledFor: sampleNow,
  periodId: '2026-03-01T13:00:30+01:00',
  source: 'baseline-cron',
  fence: 3,
  leaseUntil: sampleNow + 60_000,
  attempts: 0,
  context: { failureCount: 0 },
  overlapping: false,
  replaces: 'nothing',
}

function sealed(headers: Readonly<Record<string, string>>, forTenant = tenantId) {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    vault.seal(value, { purpose: 'header', tenantId: forTenant }),
  ])
  return { headers: Object.fromEntries(entries) as Record<string, string> }
}

const templateOf = (change: Partial<EndpointDefinition>): RequestTemplate =>
  new RequestTemplate(sampleEndpoint(change), vault)

const rendered = (
  change: Partial<EndpointDefinition>,
  { attempt = 1, secrets = [] as readonly string[], nowMs = sampleNow } = {},
) => templateOf(change).render(run, { attempt, secrets, now: nowMs, leftMs: 100_000 })

const bodied = (body: Partial<Body>): Partial<EndpointDefinition> => ({
  body: { kind: 'json', content: '{}', contentType: null, ...body },
})

describe('the request of a run', () => {
  it('says which run it is of, and that a second one of it is the same', () => {
    expect(rendered({})).toEqual({
      tenantId,
      method: 'POST',
      url: 'https://api.example.com/sync',
      target: {
        origin: 'https://api.example.com',
        secure: true,
        hostname: 'api.example.com',
        port: 443,
        path: '/sync',
      },
      headers: {
        'kron-run-id': id,
        'kron-period-id': '2026-03-01T13:00:30+01:00',
        'kron-attempt': '1',
        'idempotency-key': id,
      },
      body: null,
      timeoutMs: 30_000,
      maxResponseBytes: 64 * 1024,
      redirects: 'refuse',
    })
  })

  it('has the limits and the method of the endpoint', () => {
    const change = {
      method: 'PUT',
      timeoutMs: 7,
      maxResponseSizeKb: 3,
      redirects: 'follow',
    } as const
    const { method, timeoutMs, maxResponseBytes, redirects } = rendered(change)
    expect([method, timeoutMs, maxResponseBytes, redirects]).toEqual(['PUT', 7, 3_072, 'follow'])
  })

  it('keeps its idempotency key over attempts and tells their number', () => {
    const template = templateOf({})
    const [first, second] = [1, 2].map((attempt) =>
      template.render(run, { attempt, secrets: [], now: sampleNow, leftMs: 100_000 }),
    )
    expect(second!.headers).toEqual({ ...first!.headers, 'kron-attempt': '2' })
  })

  it('has the headers of the endpoint, opened, by lower-case name', () => {
    const { headers } = rendered(sealed({ 'X-Token': 'abc', Authorization: 'Bearer {{attempt}}' }))
    expect(headers).toMatchObject({ 'x-token': 'abc', authorization: 'Bearer 1' })
  })

  it('leaves an idempotency key of the user alone', () => {
    const { headers } = rendered(sealed({ 'Idempotency-Key': 'own-{{scheduledFor}}' }))
    expect(headers['idempotency-key']).toBe('own-2026-03-01T12:00:30Z')
  })

  it('does not let the user say which run it is of', () => {
    const names = ['Kron-Run-Id', 'Kron-Period-Id', 'Kron-Attempt', 'Webhook-Id']
    const change = sealed(Object.fromEntries(names.map((name) => [name, 'forged'])))
    const { headers } = rendered(change, { secrets: [createWebhookSecret()] })
    expect(Object.values(headers)).not.toContain('forged')
  })

  it('has the values of its run in address, headers and body, each in its own spelling', () => {
    const change = {
      url: 'https://api.example.com/{{scheduledFor}}?run={{ runId }}',
      ...sealed({ 'x-at': '{{scheduledFor}}' }),
      ...bodied({ content: '{"at":"{{scheduledFor}}","n":{{attempt}}}' }),
    }
    expect(rendered(change, { attempt: 3 })).toMatchObject({
      url: `https://api.example.com/2026-03-01T12%3A00%3A30Z?run=${id}`,
      headers: { 'x-at': '2026-03-01T12:00:30Z' },
      body: '{"at":"2026-03-01T12:00:30Z","n":3}',
    })
  })

  it('has a binary body as bytes, in which nothing is replaced', () => {
    const content = Buffer.from('\u0000{{runId}}').toString('base64')
    const { body } = rendered(bodied({ kind: 'binary', content }))
    expect(Buffer.from(body as Uint8Array).toString()).toBe('\u0000{{runId}}')
  })

  it.each<[Body['kind'], string]>([
    ['json', 'application/json'],
    ['text', 'text/plain; charset=utf-8'],
    ['binary', 'application/octet-stream'],
  ])('with a %s body has the content type %s, unless the user names one', (kind, usual) => {
    const typeOf = (change: Partial<EndpointDefinition>) => rendered(change).headers['content-type']
    expect(typeOf(bodied({ kind }))).toBe(usual)
    expect(typeOf(bodied({ kind, contentType: 'application/x-own' }))).toBe('application/x-own')
    const own = { ...bodied({ kind }), ...sealed({ 'Content-Type': 'application/cbor' }) }
    expect(typeOf(own)).toBe('application/cbor')
    expect(typeOf({ ...bodied({ kind }), ...sealed({ accept: '*/*' }) })).toBe(usual)
  })

  it('without a body has no content type', () => {
    expect(rendered({}).headers).not.toHaveProperty('content-type')
  })
})

describe('the signature of a request', () => {
  const secrets = [createWebhookSecret(), createWebhookSecret()]
  const nowMs = sampleNow + 999

  it.each<[string, Partial<EndpointDefinition>]>([
    ['a rendered body', bodied({ content: '{"run":"{{runId}}"}' })],
    ['a binary body', bodied({ kind: 'binary', content: 'AAECAw==' })],
    ['no body', {}],
  ])('holds for %s, by each of the secrets', (_, change) => {
    const { headers, body } = rendered(change, { secrets, nowMs })
    for (const secret of secrets) {
      expect(verify([secret], headers, body ?? '', { now: () => nowMs })).toEqual({
        valid: true,
        id,
        timestampSeconds: sampleNow / 1000,
      })
    }
    const other = verify([createWebhookSecret()], headers, body ?? '', { now: () => nowMs })
    expect(other).toMatchObject({ valid: false, code: 'signature_mismatch' })
  })

  it.each<[string, boolean, Partial<EndpointDefinition>, readonly string[]]>([
    ['a body, redirects and secrets', true, { redirects: 'follow', ...bodied({}) }, secrets],
    ['no redirects', false, { redirects: 'refuse', ...bodied({}) }, secrets],
    ['no body', false, { redirects: 'follow' }, secrets],
    ['no secrets', false, { redirects: 'follow', ...bodied({}) }, []],
  ])('with %s has another one without the body: %s', (_, isReady, change, signing) => {
    const { headersWithoutBody } = rendered(change, { secrets: signing, nowMs })
    expect(headersWithoutBody !== undefined).toBe(isReady)
  })

  it('is not there without a secret', () => {
    expect(Object.keys(rendered({}).headers).filter((name) => name.startsWith('webhook'))).toEqual(
      [],
    )
  })
})

describe('a request that can not be made', () => {
  it('is one with a placeholder that does not exist', () => {
    expect(() => templateOf({ url: 'https://api.example.com/{{runid}}' })).toThrow(
      ConfigurationError,
    )
  })

  it('is one with a header that was sealed for another tenant', () => {
    const change = sealed({ authorization: 'secret' }, 'ten_00000000000000000000000002')
    expect(() => templateOf(change)).toThrow(VaultError)
  })
})
