import { createServer as createSecureServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { certificate, certificateKey } from '../../testing/dispatch/certificate.js'
import { type LocalTarget, listen, scriptedTarget } from '../../testing/dispatch/local-target.js'
import { never, request, Sandbox, textOf } from '../../testing/dispatch/sandbox.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

describe('TLS', () => {
  const secureTarget = (): Promise<LocalTarget> =>
    sandbox.up(
      listen(
        createSecureServer({ cert: certificate, key: certificateKey }, (incoming, response) => {
          const { servername } = incoming.socket as TLSSocket & { servername: string | false }
          response.end(`${servername} ${incoming.headers.host}`)
        }),
        '127.0.0.1',
      ),
    )
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  const certificateAuthorities = [certificate]

  it('names the host to the target and checks the certificate by that name', async () => {
    const { port } = await secureTarget()
    const sender = sandbox.dispatcher({ resolve, certificateAuthorities })
    const result = await sender.send(request(`https://target.test:${port}/`), never)
    expect(textOf(result)).toBe(`target.test target.test:${port}`)
    const rooted = await sender.send(request(`https://target.test.:${port}/`), never)
    expect(textOf(rooted)).toBe(`target.test target.test.:${port}`)
  })

  it('checks the certificate by the address where there is no name', async () => {
    const { port } = await secureTarget()
    const sender = sandbox.dispatcher({ certificateAuthorities })
    const result = await sender.send(request(`https://127.0.0.1:${port}/`), never)
    expect(textOf(result)).toBe(`false 127.0.0.1:${port}`)
  })

  it('fails for a certificate of another name', async () => {
    const { port } = await secureTarget()
    const sender = sandbox.dispatcher({ resolve, certificateAuthorities })
    const result = await sender.send(request(`https://other.test:${port}/`), never)
    expect(result).toMatchObject({ status: 'failure', error: { code: 'tls_failed' } })
  })

  it('fails for a certificate that nobody vouches for, whatever the environment says', async () => {
    const { port } = await secureTarget()
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      const result = await sandbox
        .dispatcher({ resolve })
        .send(request(`https://target.test:${port}/`), never)
      expect(result).toMatchObject({ status: 'failure', error: { code: 'tls_failed' } })
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    }
  })

  it('fails for a target that speaks none', async () => {
    const { port } = await sandbox.up(scriptedTarget('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const result = await sandbox.dispatcher().send(request(`https://127.0.0.1:${port}/`), never)
    expect(result.error?.code).toBe('tls_failed')
  })
})
