import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byCron, byInterval } from '../../testing/sample-endpoint.js'
import { answered, SampleStore } from '../../testing/sample-store.js'
import type { Endpoint } from '../domain/index.js'
import { SiblingDirectory } from './siblings.js'

let sample: SampleStore
let directory: SiblingDirectory

beforeEach(async () => {
  sample = await SampleStore.open()
  directory = new SiblingDirectory()
})

afterEach(async () => {
  await sample.store.close()
})

const around = (endpoint: Endpoint) =>
  sample.store.tenant(endpoint.tenantId, async (rows) =>
    directory.around(rows, (await rows.endpoints.get(endpoint.id))!),
  )

describe('the siblings of an endpoint', () => {
  it('are counted by host, second and how they do', async () => {
    const host = { url: 'https://a.example.com/x' }
    const failing = await sample.addEndpoint({ ...byInterval(1000), ...host })
    await sample.run(failing, answered(500))
    const endpoint = await sample.addEndpoint({ ...byCron('0 * * * *'), ...host })
    await sample.addEndpoint({ ...byCron('0 13 * * *'), url: 'https://A.example.com?{{runId}}' })
    await sample.addEndpoint({ ...byCron('0 13 * * *'), url: 'https://b.example.com' })
    await sample.addEndpoint({ ...byCron('1 13 * * *'), url: 'https://a.example.com:444' })
    expect(await around(endpoint)).toEqual({
      endpoints: 4,
      complete: true,
      failing: 1,
      sameHost: 2,
      sameHostFailing: 1,
      sameSecond: 2,
    })
  })

  it('are those of the same tenant', async () => {
    const other = 'ten_00000000000000000000000002'
    await sample.addTenant(other)
    const endpoint = await sample.addEndpoint()
    const foreign = await sample.addEndpoint({}, other)
    expect(await around(endpoint)).toMatchObject({ endpoints: 0 })
    expect(await around(foreign)).toMatchObject({ endpoints: 0 })
  })

  it('are read once a minute', async () => {
    const endpoint = await sample.addEndpoint()
    expect(await around(endpoint)).toMatchObject({ endpoints: 0 })
    await sample.addEndpoint()
    sample.now += 59_999
    expect(await around(endpoint)).toMatchObject({ endpoints: 0 })
    sample.now += 1
    expect(await around(endpoint)).toMatchObject({ endpoints: 1 })
  })

  it('are not all looked at when there are very many', async () => {
    const endpoint = await sample.addEndpoint()
    for (let n = 0; n < 1000; n++) await sample.addEndpoint()
    expect(await around(endpoint)).toMatchObject({ complete: false, endpoints: 999 })
  })
})
