import { expect, it } from 'vitest'
import { newEndpoint } from '../../../testing/api/sample.js'
import { onBothStores } from '../../../testing/both-stores.js'

onBothStores((api) => {
  it('the runs of a job include those of endpoints that were deleted', async () => {
    const id = await newEndpoint(api.send, api.job)
    const { body: run } = await api.send('POST', `/endpoints/${id}/run`)
    await api.worker.end(await api.worker.claim())
    const found = async () => {
      const { body } = await api.send('GET', `/runs?jobId=${api.job}`)
      return body.items.map((each: { id: string }) => each.id)
    }
    expect(await found()).toEqual([run.id])
    await api.send('DELETE', `/endpoints/${id}`)
    expect(await found()).toEqual([run.id])
    await api.send('DELETE', `/jobs/${api.job}`)
    expect(await found()).toEqual([run.id])
  })
})
