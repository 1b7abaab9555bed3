import { describe, expect, it } from 'vitest'
import { newEndpoint } from '../../../testing/api/sample.js'
import { onBothStores } from '../../../testing/both-stores.js'
import type { Outcome } from '../../scheduling/index.js'

const cut = { httpStatus: 200, headers: {}, truncated: true, body: new Uint8Array(1024) }
const slow = { code: 'timeout', message: 'no complete response within 5s' }
const unconnected = { code: 'connect_timeout', message: 'no connection within 10s' }

describe('the context of a run names the limits that it met', () => {
  onBothStores((api) => {
    it.each<[name: string, ended: Partial<Outcome>, violations: string[]]>([
      ['a response that was cut', { response: cut }, ['maxResponseSizeKb']],
      ['a time-out', { status: 'timeout', error: slow, response: null }, ['timeoutMs']],
      [
        'a time-out within a response that was cut',
        { status: 'timeout', error: slow, response: cut },
        ['timeoutMs', 'maxResponseSizeKb'],
      ],
      [
        'no connection in time',
        { status: 'timeout', error: unconnected, response: null },
        ['connectTimeoutMs'],
      ],
      [
        'a lease that was over before anything was sent',
        { status: 'cancelled', reason: 'lease_expired', response: null },
        ['maxExecutionTimeMs'],
      ],
      ['nothing of the kind', {}, []],
    ])('after %s', async (_, ended, violations) => {
      const id = await newEndpoint(api.send, api.job)
      const { body: run } = await api.send('POST', `/endpoints/${id}/run`)
      await api.worker.end(await api.worker.claim(), ended)
      const { body } = await api.send('GET', `/runs/${run.id}`)
      expect(body.context.violations).toEqual(violations)
      const listed = await api.send('GET', `/runs?endpointId=${id}`)
      expect(listed.body.items).toMatchObject([{ context: { violations } }])
    })
  })
})
