import { describe, expect, it } from 'vitest'
import { onBothStores } from '../../../testing/both-stores.js'

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
