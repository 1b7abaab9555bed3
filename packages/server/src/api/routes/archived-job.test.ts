import { describe, expect, it } from 'vitest'
import { newEndpoint } from '../../../testing/api/sample.js'
import { onBothStores } from '../../../testing/both-stores.js'

describe('an archived job', () => {
  onBothStores((api) => {
    const archive = () => api.send('POST', `/jobs/${api.job}/archive`)

    it('runs none of its endpoints, also when somebody asks for it', async () => {
      const id = await newEndpoint(api.send, api.job)
      const { body: run } = await api.send('POST', `/endpoints/${id}/run`)
      await api.worker.end(await api.worker.claim())
      await archive()
      for (const path of [`/endpoints/${id}/run`, `/runs/${run.id}/replay`]) {
        const reply = await api.send('POST', path)
        expect([reply.status, reply.body.code]).toEqual([409, 'job_archived'])
      }
      expect((await api.send('GET', `/runs?endpointId=${id}`)).body.items).toHaveLength(1)
      await api.send('POST', `/jobs/${api.job}/resume`)
      expect((await api.send('POST', `/endpoints/${id}/run`)).status).toBe(202)
    })

    it('takes back a run that was asked for before', async () => {
      const id = await newEndpoint(api.send, api.job)
      const { body: run } = await api.send('POST', `/endpoints/${id}/run`)
      await archive()
      expect((await api.send('GET', `/runs/${run.id}`)).body).toMatchObject({
        status: 'cancelled',
        reason: 'archived',
      })
      const { claimed } = await api.worker.claim()
      expect(claimed.filter(({ endpointId }) => endpointId === id)).toEqual([])
      await api.send('POST', `/jobs/${api.job}/resume`)
      expect((await api.send('POST', `/endpoints/${id}/run`)).status).toBe(202)
    })
  })
})
