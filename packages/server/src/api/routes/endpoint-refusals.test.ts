import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Send } from '../../../testing/api/api-world.js'
import { newEndpoint } from '../../../testing/api/sample.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'
import { onBothStores } from '../../../testing/both-stores.js'
import { framingHeaders } from '../../dispatch/index.js'

describe('a new endpoint', () => {
  const api = new TenantApi()
  const { send, createEndpoint: create } = api
  beforeEach(api.openWithJob)
  afterEach(api.close)

  it.each([
    ['no baseline', {}, 'cron', 'baseline_not_one'],
    ['two baselines', { cron: '* * * * *', intervalMs: 5 }, 'intervalMs', 'baseline_not_one'],
    ['a bad cron', { cron: '61 * * * *' }, 'cron', 'KRON_CRON_INVALID'],
    ['a bad modifier', { cron: '0 2 * * * @win(after)' }, 'cron', 'KRON_FIELD_MISSING'],
    ['a cron that never comes', { cron: '0 0 30 2 *' }, 'cron', 'KRON_CRON_NEVER'],
    ['a bad zone', { cron: '* * * * *', timezone: 'Mars/X' }, 'timezone', 'KRON_ZONE_UNKNOWN'],
    [
      'a zone for an interval',
      { intervalMs: 5, timezone: 'UTC' },
      'timezone',
      'field_not_applicable',
    ],
    ['jitter for cron', { cron: '* * * * *', jitterMs: 5 }, 'jitterMs', 'field_not_applicable'],
    [
      'min above max',
      { intervalMs: 5, minIntervalMs: 9, maxIntervalMs: 8 },
      'minIntervalMs',
      'out_of_range',
    ],
    [
      'a timeout above the lease',
      { intervalMs: 5, timeoutMs: 9, maxExecutionTimeMs: 8 },
      'timeoutMs',
      'out_of_range',
    ],
    ['a timeout of 16 minutes', { intervalMs: 5, timeoutMs: 960_000 }, 'timeoutMs', 'out_of_range'],
    ['a part of a millisecond', { intervalMs: 5.5 }, 'intervalMs', 'wrong_type'],
    ['another scheme', { intervalMs: 5, url: 'ftp://x.example' }, 'url', 'url_scheme'],
    ['no absolute URL', { intervalMs: 5, url: '/sync' }, 'url', 'url_invalid'],
    [
      'credentials in the URL',
      { intervalMs: 5, url: 'https://a:b@x.example' },
      'url',
      'url_credentials',
    ],
    [
      'an unknown placeholder',
      { intervalMs: 5, url: 'https://x.example/{{runid}}' },
      'url',
      'placeholder_invalid',
    ],
    [
      'a placeholder in the host',
      { intervalMs: 5, url: 'https://{{runId}}.example' },
      'url',
      'url_invalid',
    ],
    ['loopback', { intervalMs: 5, url: 'http://127.0.0.1/' }, 'url', 'address_denied'],
    ['loopback in hexadecimal', { intervalMs: 5, url: 'http://0x7f.1/' }, 'url', 'address_denied'],
    ['loopback as a number', { intervalMs: 5, url: 'http://2130706433/' }, 'url', 'address_denied'],
    [
      'mapped loopback',
      { intervalMs: 5, url: 'http://[::ffff:127.0.0.1]/' },
      'url',
      'address_denied',
    ],
    ['cloud metadata', { intervalMs: 5, url: 'http://169.254.169.254/' }, 'url', 'address_denied'],
    [
      'an allowed address on another port',
      { intervalMs: 5, url: 'http://127.0.0.1:9998/' },
      'url',
      'address_denied',
    ],
    [
      'a header of the dispatcher',
      { intervalMs: 5, headers: { Host: 'x' } },
      'headers.Host',
      'header_reserved',
    ],
    [
      'a signature of one’s own',
      { intervalMs: 5, headers: { 'Webhook-Signature': 'x' } },
      'headers.Webhook-Signature',
      'header_reserved',
    ],
    [
      'a bad header name',
      { intervalMs: 5, headers: { 'a b': 'x' } },
      'headers.a b',
      'header_invalid',
    ],
    [
      'a split header',
      { intervalMs: 5, headers: { a: 'x\r\nb: y' } },
      'headers.a',
      'header_invalid',
    ],
    [
      'a header given twice',
      { intervalMs: 5, headers: { a: 'x', A: 'y' } },
      'headers.A',
      'header_repeated',
    ],
    [
      'bullets for a header',
      { intervalMs: 5, headers: { a: '•••' } },
      'headers.a',
      'header_unknown',
    ],
    [
      'a body with HEAD',
      { intervalMs: 5, method: 'HEAD', body: { kind: 'text', content: '' } },
      'body',
      'field_not_applicable',
    ],
    [
      'a placeholder that does not exist in the type of a text',
      { intervalMs: 5, body: { kind: 'text', content: 'a', contentType: 'text/{{name}}' } },
      'body.contentType',
      'placeholder_invalid',
    ],
    [
      'a placeholder that does not exist in the type of a binary body',
      { intervalMs: 5, body: { kind: 'binary', content: 'YQ==', contentType: 'text/{{name}}' } },
      'body.contentType',
      'placeholder_invalid',
    ],
    [
      'a JSON body that is none',
      { intervalMs: 5, body: { kind: 'json', content: '{' } },
      'body.content',
      'json_invalid',
    ],
    [
      'a binary body that is not base 64',
      { intervalMs: 5, body: { kind: 'binary', content: '!' } },
      'body.content',
      'base64_invalid',
    ],
    ['a secret that does not exist', { intervalMs: 5, secret: 'none' }, 'secret', 'secret_unknown'],
  ])('is refused with %s', async (_, given, field, code) => {
    const reply = await create(given)
    expect(reply.body).toMatchObject({ status: 400, code: 'validation_failed', field })
    expect(reply.body.errors[0].code).toBe(code)
    expect((await send('GET', '/endpoints')).body.items).toEqual([])
  })

  it.each([...framingHeaders, 'HTTP2-Settings'])(
    'is refused with the header %s, without which its requests could be sent',
    async (name) => {
      const reply = await create({ intervalMs: 5, headers: { [name]: 'x' } })
      expect(reply.status).toBe(400)
      expect(reply.body.errors).toMatchObject([
        { field: `headers.${name}`, code: 'header_reserved' },
      ])
    },
  )
})

/** The API of these tests allows 127.0.0.1:9999, and nothing else of its own network. */
describe('an endpoint in the network of the server', () => {
  onBothStores((api) => {
    it.each([
      ['http://127.0.0.1:8080/x', 'loopback', '127.0.0.1:8080'],
      ['https://127.0.0.1/', 'loopback', '127.0.0.1:443'],
      ['http://0x7f.1/', 'loopback', '127.0.0.1:80'],
      ['http://[::1]:3000/', 'loopback', '[::1]:3000'],
      ['http://10.20.0.5/', 'private', '10.20.0.5:80'],
      ['http://[fd00::1]:81/', 'unique local', '[fd00::1]:81'],
      ['http://localhost:8080/', 'loopback', '127.0.0.1:8080'],
      ['http://LOCALHOST./', 'loopback', '127.0.0.1:80'],
      ['https://api.localhost/', 'loopback', '127.0.0.1:443'],
      ['http://localhost.localdomain/', 'loopback', '127.0.0.1:80'],
      ['http://ip6-localhost:81/', 'loopback', '127.0.0.1:81'],
    ])('at %s is refused, and told how to be allowed', async (url, reason, rule) => {
      const reply = await api.createEndpoint({ url, intervalMs: 60_000 })
      expect(reply.status).toBe(400)
      const { hostname } = new URL(url)
      const local = reason === 'loopback' ? '--allow-local or ' : ''
      const host = hostname.replace(/^\[|\]$/g, '')
      expect(reply.body.errors).toEqual([
        {
          field: 'url',
          code: 'address_denied',
          message:
            `url leads to ${host}, which is not allowed: ${reason}; ` +
            `the operator of this server can allow it: kron serve ${local}--allow ${rule}`,
        },
      ])
    })

    it.each(['http://169.254.169.254/', 'http://[::ffff:127.0.0.1]/', 'http://0.0.0.0/'])(
      'at %s is refused, without advice to open it',
      async (url) => {
        const reply = await api.createEndpoint({ url, intervalMs: 60_000 })
        expect(reply.body.errors).toMatchObject([{ field: 'url', code: 'address_denied' }])
        expect(reply.text).not.toContain('--allow')
      },
    )

    it('is made, and called by either name, once its address is allowed', async () => {
      const made = await api.createEndpoint({ url: 'http://127.0.0.1:9999/', intervalMs: 60_000 })
      const url = 'http://localhost:9999/'
      const changed = await api.send('PATCH', `/endpoints/${made.body.id}`, { url })
      expect([made.status, changed.status]).toEqual([201, 200])
      const denied = { url: 'http://localhost:9998/' }
      const reply = await api.send('PATCH', `/endpoints/${made.body.id}`, denied)
      expect(reply.body.errors).toMatchObject([{ code: 'address_denied' }])
    })

    it('by a name of its own is judged when it is called', async () => {
      const url = 'http://notlocalhost/'
      expect((await api.createEndpoint({ url, intervalMs: 60_000 })).status).toBe(201)
    })
  })
})

type Naming = (send: Send, job: string, endpoint: string, name: string) => ReturnType<Send>

const namings: readonly [what: string, naming: Naming][] = [
  ['a job', (send, _job, _endpoint, name) => send('POST', '/jobs', { name })],
  ['a job again', (send, job, _endpoint, name) => send('PATCH', `/jobs/${job}`, { name })],
  [
    'an endpoint',
    (send, job, _endpoint, name) =>
      send('POST', `/jobs/${job}/endpoints`, { name, url: 'https://x.example', intervalMs: 5000 }),
  ],
  [
    'an endpoint again',
    (send, _job, endpoint, name) => send('PATCH', `/endpoints/${endpoint}`, { name }),
  ],
  ['a key', (send, _job, _endpoint, name) => send('POST', '/keys', { name, scopes: ['read'] })],
  ['a tenant', (send, _job, _endpoint, name) => send('POST', '/tenants', { name })],
]

describe('who names', () => {
  onBothStores(
    (api) => {
      it.each(namings)('%s must not hide anything in the name', async (_, naming) => {
        const endpoint = await newEndpoint(api.send, api.job)
        const nameIt = (name: string) => naming(api.send, api.job, endpoint, name)
        for (const [character, codePoint] of [
          ['\u202e', 'U+202E'],
          ['\u2067', 'U+2067'],
          ['\u200f', 'U+200F'],
          ['\u061c', 'U+061C'],
          ['\u001b', 'U+001B'],
          ['\u0085', 'U+0085'],
          ['\u2028', 'U+2028'],
          ['\n', 'U+000A'],
          ['\t', 'U+0009'],
        ] as const) {
          const reply = await nameIt(`𝒳 a${character}b`)
          expect(reply.status).toBe(400)
          expect(reply.body.errors).toEqual([
            {
              field: 'name',
              code: 'invalid_character',
              message:
                'name: must not have control or bidirectional characters, ' +
                `got ${codePoint} as character 4`,
              position: 4,
            },
          ])
        }
        expect((await nameIt('Zürich \u200d👩\u200d🚀 عربى')).status).toBeLessThan(300)
      })
    },
    { signup: 'open' },
  )
})
