import { describe, expect, it } from 'vitest'
import { Connections } from './connections.js'
import { selfSigned } from './testing/self-signed.js'

const options = {
  origin: 'https://127.0.0.1:1',
  proxyUrl: null,
  connections: 1,
  maxAnswerBytes: 1000,
}

describe('connections', () => {
  it('are kept as long as certificates are the same, whoever has read them', () => {
    const connections = new Connections(options)
    const [ca, other] = [selfSigned('a').cert, selfSigned('b').cert]
    const pools = connections.with({ ca: Buffer.from(ca) })
    expect(connections.with({ ca: Buffer.from(ca) })).toBe(pools)
    const renewed = connections.with({ ca: Buffer.from(other) })
    expect(renewed.requests).not.toBe(pools.requests)
    expect(renewed.watches).not.toBe(pools.watches)
  })

  it('are not made any more once they were closed', async () => {
    const connections = new Connections(options)
    connections.with({})
    await Promise.all([connections.close(), connections.close()])
    expect(() => connections.with({})).toThrow('the client was closed')
  })
})
