import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, answerJson } from '../../../testing/http/fake-api-server.js'
import { Sandbox } from '../../../testing/http/sandbox.js'
import { selfSigned } from '../../../testing/http/self-signed.js'
import { Connections } from './connections.js'

const sandbox = new Sandbox()
afterEach(sandbox.close)

const options = {
  origin: 'https://127.0.0.1:1',
  proxyUrl: null,
  connections: 1,
  maxAnswerBytes: 1000,
}

describe('connections', () => {
  it('are kept as long as certificates are the same, for every reader of them', () => {
    const connections = new Connections(options)
    const [ca, other] = [selfSigned('a').cert, selfSigned('b').cert]
    const pools = connections.with({ ca: Buffer.from(ca) })
    expect(connections.with({ ca: Buffer.from(ca) })).toBe(pools)
    const renewed = connections.with({ ca: Buffer.from(other) })
    expect(renewed.requests).not.toBe(pools.requests)
    expect(renewed.watches).not.toBe(pools.watches)
  })

  describe('of certificates that were renewed', () => {
    const [ca, other] = [selfSigned('a').cert, selfSigned('b').cert]
    const request = { origin: options.origin, method: 'GET', path: '/' } as const

    async function connected(answer: Answer) {
      const { url: origin } = await sandbox.serve(answer)
      const connections = new Connections({ ...options, origin })
      sandbox.later(() => connections.close())
      return { connections, before: connections.with({ ca }) }
    }

    it('take nothing more', async () => {
      const code = expect.stringMatching(/^UND_ERR_(CLOSED|DESTROYED)$/)
      const { connections, before } = await connected((_, response) => answerJson(response, {}))
      connections.with({ ca: other })
      for (const pool of [before.requests, before.watches]) {
        await expect(pool.request(request)).rejects.toMatchObject({ code })
      }
    })

    it('bring what is under way to its end', async () => {
      const arrived = Promise.withResolvers<() => void>()
      const { connections, before } = await connected((_, response) =>
        arrived.resolve(() => answerJson(response, { late: true })),
      )
      const asked = before.requests.request(request)
      const answer = await arrived.promise
      connections.with({ ca: other })
      answer()
      expect(await (await asked).body.json()).toEqual({ late: true })
    })

    it.each([
      ['as well', true],
      ['also when they are in use still', false],
    ])('are cut when all are closed, %s', async (_, isRenewed) => {
      const cut = Promise.withResolvers<void>()
      const { connections, before } = await connected(({ socket }, response) => {
        socket.once('close', () => cut.resolve())
        response.writeHead(200).flushHeaders()
      })
      const { body } = await before.watches.request(request)
      body.on('error', () => {})
      if (isRenewed) connections.with({ ca: other })
      await connections.close()
      await cut.promise
    })
  })

  it('are not made any more once they were closed', async () => {
    const connections = new Connections(options)
    connections.with({})
    await Promise.all([connections.close(), connections.close()])
    expect(() => connections.with({})).toThrow('the client was closed')
  })
})
