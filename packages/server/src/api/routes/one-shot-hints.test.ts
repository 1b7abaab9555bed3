import { describe, expect, it } from 'vitest'
import { newEndpoint } from '../../../testing/api/sample.js'
import { onBothStores } from '../../../testing/both-stores.js'
import { instantText } from '../../domain/index.js'

const minute = 60_000

describe('a one-shot hint that would end before its run', () => {
  onBothStores((api) => {
    it('is refused, and changes nothing', async () => {
      const id = await newEndpoint(api.send, api.job, { intervalMs: 600_000 })
      const before = (await api.send('GET', `/endpoints/${id}`)).body
      const nextRunAt = instantText((await api.storeNow()) + 120 * minute)
      const hint = { nextRunAt, ttlMinutes: 5 }
      const reply = await api.send('PUT', `/endpoints/${id}/hints/one-shot`, hint)
      expect(reply.status).toBe(400)
      expect(reply.body).toMatchObject({
        code: 'validation_failed',
        field: 'nextRunAt',
        errors: [
          {
            field: 'nextRunAt',
            code: 'after_expiry',
            message: expect.stringMatching(/^nextRunAt is after the hint expires, at 20\S+Z$/),
          },
        ],
      })
      expect((await api.send('GET', `/endpoints/${id}`)).body).toEqual(before)
    })

    it('is refused also where the minimum interval puts the run off', async () => {
      const limits = { intervalMs: 7_200_000, minIntervalMs: 3_600_000 }
      const id = await newEndpoint(api.send, api.job, limits)
      const nextRunAt = instantText((await api.storeNow()) + minute)
      const path = `/endpoints/${id}/hints/one-shot`
      const short = await api.send('PUT', path, { nextRunAt, ttlMinutes: 5 })
      expect(short.status).toBe(400)
      expect(short.body.errors).toMatchObject([{ field: 'nextRunAt', code: 'after_expiry' }])
      expect(short.body.detail).toMatch(/: the minimum interval of 1h puts it off until after the/)
      const long = await api.send('PUT', path, { nextRunAt, ttlMinutes: 61 })
      expect(long.body).toMatchObject({ source: 'clamped-min' })
    })

    it('is taken when it lasts until its run', async () => {
      const id = await newEndpoint(api.send, api.job, { intervalMs: 600_000 })
      const nextRunAt = instantText((await api.storeNow()) + 5 * minute)
      const hint = { nextRunAt, ttlMinutes: 5 }
      const reply = await api.send('PUT', `/endpoints/${id}/hints/one-shot`, hint)
      expect(reply.body).toMatchObject({ nextRunAt, source: 'ai-oneshot' })
    })
  })
})
