import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint } from '../../../testing/api/sample.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'

describe('a forecast', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.openWithJob)
  afterEach(api.close)

  it('lets others have their turn while it is worked out', async () => {
    for (const name of ['a', 'b']) {
      await newEndpoint(send, api.job, { name, cron: '* * * * * *' })
    }
    let turns = 0
    let isDone = false
    const take = (): void => {
      turns++
      if (!isDone) setImmediate(take)
    }
    setImmediate(take)
    const { body } = await send('GET', '/forecast?minutes=120')
    isDone = true
    expect(body.items[1]).toMatchObject({ runs: 120, peakSecond: 2 })
    expect(turns).toBeGreaterThan(40)
  })

  it('waits for the one before it, unless too many wait', async () => {
    const wanted = Array.from({ length: 12 }, () => send('GET', '/forecast?minutes=1'))
    const replies = await Promise.all(wanted)
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(1)
    expect(refused[0]!.body.detail).toContain('forecasts')
    expect(refused[0]!.headers.get('retry-after')).toBe('5')
    expect((await send('GET', '/forecast?minutes=1')).status).toBe(200)
  })
})
