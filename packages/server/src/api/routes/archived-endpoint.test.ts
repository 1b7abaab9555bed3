import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint } from '../../../testing/api/sample.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'

const minute = 60_000

describe('an archived endpoint', () => {
  const api = new TenantApi()
  beforeEach(api.openWithJob)
  afterEach(api.close)

  async function archived(): Promise<string> {
    const id = await newEndpoint(api.send, api.job, { intervalMs: minute })
    await api.send('POST', `/endpoints/${id}/archive`)
    return id
  }
  const resume = (id: string) => api.send('POST', `/endpoints/${id}/resume`)
  const ofJob = (verb: string) => api.send('POST', `/jobs/${api.job}/${verb}`)

  it.each(['pause', 'archive'])(
    'that is brought back after a %s of its job runs when the job does',
    async (verb) => {
      const id = await archived()
      await ofJob(verb)
      expect((await resume(id)).body).toMatchObject({ status: 'suspended', nextRunAt: null })
      await api.clock.advanceBy(5 * minute)
      expect(await api.worker.claim()).toMatchObject({ claimed: [], nextWakeAt: null })
      await ofJob('resume')
      await api.worker.claim()
      await api.clock.advanceBy(minute)
      const { claimed } = await api.worker.claim()
      expect(claimed.map(({ endpointId }) => endpointId)).toEqual([id])
    },
  )

  it('that is brought back into an active job runs again', async () => {
    const id = await archived()
    expect((await resume(id)).body).toMatchObject({ status: 'active' })
    await api.clock.advanceBy(minute)
    const { claimed } = await api.worker.claim()
    expect(claimed.map(({ endpointId }) => endpointId)).toEqual([id])
  })

  it('stays so when its job is paused and resumed', async () => {
    const id = await archived()
    await ofJob('pause')
    await ofJob('resume')
    await api.clock.advanceBy(5 * minute)
    expect(await api.worker.claim()).toMatchObject({ claimed: [], nextWakeAt: null })
    const { body } = await api.send('GET', `/endpoints/${id}`)
    expect(body).toMatchObject({ status: 'archived', nextRunAt: null })
  })
})
