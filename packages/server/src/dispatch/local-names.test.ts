import { afterEach, describe, expect, it } from 'vitest'
import { httpTarget } from '../../testing/dispatch/local-target.js'
import { never, request, Sandbox } from '../../testing/dispatch/sandbox.js'
import { createAddressGuard } from './guard/index.js'
import type { Resolver } from './names/index.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

const both: Resolver = async () => [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
]

describe('a name of this machine', () => {
  it('is called where the list allows one of its addresses, and nowhere else', async () => {
    const target = await sandbox.up(httpTarget((_, response) => void response.end()))
    const addressGuard = createAddressGuard({ allow: [`127.0.0.1:${target.port}`] })
    const sender = sandbox.dispatcher({ addressGuard, resolve: both })
    const sent = await sender.send(request(`http://localhost:${target.port}/`), never)
    expect(sent).toMatchObject({ status: 'success', error: null })
    // Any other name is refused for one address that is denied.
    const other = await sender.send(request(`http://shop.test:${target.port}/`), never)
    expect(other.error?.code).toBe('address_denied')
  })

  it.each([
    [
      'localhost',
      both,
      '; the operator of this server can allow it: kron serve --allow-local or --allow 127.0.0.1:8',
    ],
    [
      'intranet.test',
      async () => [{ address: '10.1.2.3', family: 4 }],
      '; the operator of this server can allow it: kron serve --allow <its address>:8',
    ],
    ['metadata.test', async () => [{ address: '169.254.169.254', family: 4 }], ''],
  ] satisfies [string, Resolver, string][])(
    '%s is refused with advice',
    async (name, resolve, advice) => {
      const sender = sandbox.dispatcher({ addressGuard: createAddressGuard(), resolve })
      const { error } = await sender.send(request(`http://${name}:8/`), never)
      expect(error?.code).toBe('address_denied')
      expect(error?.message).toMatch(
        /^\S+ resolves to an address that is not allowed on port 8: (loopback|private|link-local)/,
      )
      expect(error?.message.endsWith(advice === '' ? 'link-local' : advice)).toBe(true)
      expect(error?.message).not.toContain('10.1.2.3')
    },
  )
})
