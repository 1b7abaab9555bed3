import { Webhook } from 'standardwebhooks'
import { afterEach, expect, it } from 'vitest'
import { httpTarget } from '../../testing/dispatch/local-target.js'
import { never, Sandbox } from '../../testing/dispatch/sandbox.js'
import { sampleEndpoint, sampleId } from '../../testing/sample-endpoint.js'
import type { EndpointDefinition } from '../domain/index.js'
import { createVault, newSealingKeyText, parseSealingKeys } from '../secrets/index.js'
import { createWebhookSecret } from '../webhook/index.js'
import { RequestTemplate } from './request-template.js'

const vault = createVault(parseSealingKeys(newSealingKeyText(), 'test'))
const secrets = [createWebhookSecret(), createWebhookSecret()]
const sandbox = new Sandbox()
afterEach(sandbox.close)

const body: EndpointDefinition['body'] = { kind: 'json', content: '{"a":1}', contentType: null }

it.each([
  [302, 'GET', ''],
  [303, 'GET', ''],
  [307, 'POST', '{"a":1}'],
])('after a redirect with %d a %s is signed as it is sent', async (status, method, sent) => {
  const seen: { method: string; body: string; verified: boolean }[] = []
  const target = await sandbox.up(
    httpTarget(async (incoming, response) => {
      const text = (await incoming.toArray()).join('')
      const headers = incoming.headers as Record<string, string>
      const verified = secrets.map((secret) => isVerified(secret, text, headers))
      seen.push({ method: incoming.method!, body: text, verified: verified.every(Boolean) })
      if (incoming.url === '/') response.writeHead(status, { location: '/there' }).end()
      else response.end()
    }),
  )
  const definition = { url: target.url, method: 'POST', body, redirects: 'follow' } as const
  const endpoint = sampleEndpoint(definition)
  const now = Date.now()
  const request = new RequestTemplate(endpoint, vault).render(
    {
      endpointId: sampleId,
      tenantId: endpoint.tenantId,
      version: 1,
      scheduledFor: now,
      periodId: 'p',
      source: 'manual',
      fence: 1,
      leaseUntil: now + 60_000,
      attempts: 0,
      context: { failureCount: 0 },
      overlapping: false,
      replaces: 'nothing',
    },
    { attempt: 1, secrets, now, leftMs: 60_000 },
  )
  expect(await sandbox.dispatcher().send(request, never)).toMatchObject({ status: 'success' })
  expect(seen).toEqual([
    { method: 'POST', body: '{"a":1}', verified: true },
    { method, body: sent, verified: true },
  ])
})

/** By another implementation, which parses the payload only where it is JSON. */
function isVerified(secret: string, text: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch (error) {
    // An empty payload is no JSON; its signature was found right before that was noticed.
    return error instanceof SyntaxError
  }
}
