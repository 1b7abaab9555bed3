import { describe, expect, it } from 'vitest'
import { type Access, type AccessSource, Credentials } from './credentials.js'

/** Gives a new token each time that it is read. */
class CountingSource implements AccessSource {
  readonly server = 'http://127.0.0.1:1'
  readonly proxyUrl = null
  reads = 0
  forgets = 0
  isBroken = false

  async read(): Promise<Access> {
    this.reads++
    if (this.isBroken) throw new Error('ENOENT: no token')
    return { headers: { authorization: `token ${this.reads}` }, tls: {} }
  }

  forget(): void {
    this.forgets++
  }
}

function setUp() {
  const source = new CountingSource()
  const clock = { now: 0 }
  const credentials = new Credentials(source, () => clock.now)
  const token = async () => (await credentials.current()).headers['authorization']
  return { source, clock, credentials, token }
}

describe('credentials', () => {
  it('are read once for ten seconds of requests, also for those that come at once', async () => {
    const { source, clock, token } = setUp()
    expect(await Promise.all([token(), token()])).toEqual(['token 1', 'token 1'])
    clock.now = 9999
    expect(await token()).toBe('token 1')
    clock.now = 10_000
    expect(await Promise.all([token(), token()])).toEqual(['token 2', 'token 2'])
    expect(source.reads).toBe(2)
  })

  it('are read again at once when they were refused, but only once for each of them', async () => {
    const { source, credentials, token } = setUp()
    const first = await credentials.current()
    credentials.refuse(first)
    credentials.refuse(first)
    expect(await token()).toBe('token 2')
    credentials.refuse(first)
    expect(await token()).toBe('token 2')
    expect(source.forgets).toBe(1)
  })

  it('stay in use when they can not be read for the moment', async () => {
    const { source, clock, token } = setUp()
    expect(await token()).toBe('token 1')
    source.isBroken = true
    clock.now = 10_000
    expect(await token()).toBe('token 1')
    source.isBroken = false
    clock.now = 20_000
    expect(await token()).toBe('token 3')
  })

  it('that were refused are not used again, even if there are no others', async () => {
    const { source, credentials, token } = setUp()
    const access = await credentials.current()
    source.isBroken = true
    credentials.refuse(access)
    await expect(token()).rejects.toMatchObject({
      status: null,
      message: 'no credentials for the API server: ENOENT: no token',
    })
  })

  it('that are refused while others can not be read are not used again either', async () => {
    const { source, clock, credentials, token } = setUp()
    const access = await credentials.current()
    source.isBroken = true
    clock.now = 10_000
    const reading = token()
    credentials.refuse(access)
    await expect(reading).rejects.toMatchObject({ status: null })
    source.isBroken = false
    expect(await token()).toBe('token 3')
  })
})
