import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint, newJob } from '../../testing/api/sample.js'
import { TenantApi } from '../../testing/api/tenant-api.js'

describe('a list', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.open)
  afterEach(api.close)

  async function everyPage(path: string): Promise<string[][]> {
    const pages: string[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const glue: string = path.includes('?') ? '&' : '?'
      const suffix: string = cursor === '' ? '' : `${glue}cursor=${cursor}`
      const { status, body } = await send('GET', `${path}${suffix}`)
      expect(status).toBe(200)
      pages.push(body.items.map(({ id }: { id: string }) => id))
      cursor = body.nextCursor
    }
    return pages
  }

  it('comes in pages that hold each item once', async () => {
    const made: string[] = []
    for (let n = 0; n < 7; n++) made.push(await newJob(send, `job ${n}`))
    const pages = await everyPage('/jobs?limit=3')
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
    expect(pages.flat().sort()).toEqual(made.sort())
    expect(await everyPage('/jobs?limit=7')).toHaveLength(1)
  })

  it('of runs is the newest first, over all pages', async () => {
    const job = await newJob(send)
    for (let n = 0; n < 5; n++) {
      const id = await newEndpoint(send, job, { name: `e${n}` })
      await send('POST', `/endpoints/${id}/run`)
      await api.clock.advanceBy(1000)
    }
    const pages = await everyPage('/runs?limit=2')
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
    const all = (await send('GET', '/runs')).body.items as { id: string; scheduledFor: string }[]
    expect(pages.flat()).toEqual(all.map(({ id }) => id))
    const times = all.map(({ scheduledFor }) => scheduledFor)
    expect(times).toEqual([...times].sort().reverse())
  })

  it('has 50 items a page unless it is told otherwise', async () => {
    for (let n = 0; n < 51; n++) await newJob(send, `job ${n}`)
    const { body } = await send('GET', '/jobs')
    expect(body.items).toHaveLength(50)
    expect(body.nextCursor).toEqual(expect.any(String))
  })

  it.each(['0', '201', '-1', '1.5', 'x', '', '1e2', ' 5', '0x10'])(
    'has no pages of %j',
    async (limit) => {
      const reply = await send('GET', `/jobs?limit=${encodeURIComponent(limit)}`)
      expect([reply.status, reply.body.field]).toEqual([400, 'limit'])
    },
  )

  it('takes a cursor only back where it was given, with the same filters', async () => {
    const job = await newJob(send, 'a')
    await newJob(send, 'b')
    for (const name of ['e', 'f']) await newEndpoint(send, job, { name })
    const { nextCursor } = (await send('GET', '/jobs?limit=1')).body
    const paths = [
      '/endpoints?limit=1',
      '/jobs?limit=1&status=active',
      `/jobs/${job}/endpoints?limit=1`,
    ]
    for (const path of paths) {
      const reply = await send('GET', `${path}&cursor=${nextCursor}`)
      expect([path, reply.status, reply.body.field]).toEqual([path, 400, 'cursor'])
    }
    expect((await send('GET', `/jobs?limit=2&cursor=${nextCursor}`)).status).toBe(200)
  })

  it('takes no cursor of the same list of another job', async () => {
    const [one, other] = [await newJob(send, 'one'), await newJob(send, 'other')]
    for (const name of ['e', 'f']) await newEndpoint(send, one, { name })
    const { nextCursor } = (await send('GET', `/jobs/${one}/endpoints?limit=1`)).body
    const reply = await send('GET', `/jobs/${other}/endpoints?limit=1&cursor=${nextCursor}`)
    expect([reply.status, reply.body.field]).toEqual([400, 'cursor'])
  })

  it.each(['x', 'k1.00000000.AAAA', '%00', 'é', ''])('has no page at %j', async (cursor) => {
    const reply = await send('GET', `/jobs?cursor=${encodeURIComponent(cursor)}`)
    expect([reply.status, reply.body.field]).toEqual([400, 'cursor'])
  })

  it('names a parameter that may come again by its name alone', async () => {
    for (const query of ['status=never', 'status=success&status=never']) {
      const { body } = await send('GET', `/runs?${query}`)
      expect(body).toMatchObject({ status: 400, field: 'status' })
      expect(body.errors[0]).toMatchObject({ field: 'status', code: 'invalid_choice' })
      expect(body.detail).toMatch(/^status: /)
    }
  })

  it.each(['/jobs?limit=1&limit=2', '/jobs?status=active&status=paused'])(
    'takes a parameter once: %s',
    async (path) => {
      expect((await send('GET', path)).status).toBe(400)
    },
  )

  it('knows only the parameters that it has', async () => {
    const reply = await send('GET', '/jobs?lmit=5')
    expect(reply.body).toMatchObject({ status: 400, field: 'lmit', code: 'validation_failed' })
    expect(reply.body.detail).toContain('did you mean limit?')
    expect((await send('GET', '/tenant?x=1')).body).toMatchObject({ status: 400, field: 'x' })
  })

  it('of runs is filtered by status, source, endpoint and time', async () => {
    const job = await newJob(send)
    const one = await newEndpoint(send, job, { name: 'one' })
    const other = await newEndpoint(send, job, { name: 'other' })
    const run = (await send('POST', `/endpoints/${one}/run`)).body
    await send('POST', `/runs/${run.id}/cancel`)
    await api.clock.advanceBy(60_000)
    await send('POST', `/runs/${run.id}/replay`)
    await send('POST', `/endpoints/${other}/run`)
    const count = async (query: string): Promise<number> =>
      (await send('GET', `/runs?${query}`)).body.items.length
    expect(await count('status=pending')).toBe(2)
    expect(await count('status=pending&status=cancelled')).toBe(3)
    expect(await count('source=replay')).toBe(1)
    expect(await count(`endpointId=${one}`)).toBe(2)
    expect(await count(`jobId=${job}`)).toBe(3)
    expect(await count('before=2026-03-01T02:33:00Z')).toBe(1)
    expect(await count('from=2026-03-01T03:33:00%2B01:00')).toBe(2)
    expect((await send('GET', `/endpoints/${one}/runs?status=pending`)).body.items).toHaveLength(1)
    const reversed = await send(
      'GET',
      '/runs?from=2026-03-02T00:00:00Z&before=2026-03-01T00:00:00Z',
    )
    expect([reversed.status, reversed.body.field]).toEqual([400, 'from'])
  })
})
