import { compileJob, formatInstant, nextChosenPeriod, parseSchedule } from '@kron/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newJob } from '../../../testing/api/sample.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'

const api = new TenantApi()
const { send, createEndpoint: create } = api
beforeEach(api.openWithJob)
afterEach(api.close)

const cron = '0 * * * * @win(after,50m)'

/** What anybody can say who knows the names: nothing has been saved. */
function foretold(identity: string): string {
  const job = compileJob({ ...parseSchedule(cron), identity })
  return formatInstant(nextChosenPeriod(job, api.clock.now().getTime())!.chosenTime)
}

describe('the identity that windows are drawn by', () => {
  it('is made of names, so that times are known before the endpoint is saved', async () => {
    const { body: job } = await send('GET', `/jobs/${api.job}`)
    const identity = `Example/${job.name}/report`
    const { body } = await create({ name: 'report', cron })
    expect(body).toMatchObject({ identity, nextRunAt: foretold(identity) })
  })

  it('stays when the endpoint or its job is renamed', async () => {
    const { body } = await create({ name: 'report', cron })
    await send('PATCH', `/jobs/${api.job}`, { name: 'another job' })
    const renamed = await send('PATCH', `/endpoints/${body.id}`, { name: 'another' })
    expect(renamed.body).toMatchObject({ identity: body.identity, nextRunAt: body.nextRunAt })
  })

  it('may be given to an endpoint that is made again elsewhere, and can’t be changed', async () => {
    const { body } = await create({ name: 'report', cron })
    const other = await api.world.tenant('Elsewhere')
    const jobId = await newJob(other.send)
    const { identity } = body
    const given = { name: 'copy', url: 'https://x.example/', cron, identity }
    const copy = await other.send('POST', `/jobs/${jobId}/endpoints`, given)
    expect(copy.body).toMatchObject({ identity, nextRunAt: body.nextRunAt })
    const changed = await send('PATCH', `/endpoints/${body.id}`, { identity: 'x' })
    expect(changed.status).toBe(400)
  })

  it('is short enough for any names', async () => {
    const name = '\u{1F552}'.repeat(100)
    const { world } = api
    const { send: sendLong } = await world.tenant(name)
    const jobId = await newJob(sendLong, name)
    const given = { name, url: 'https://x.example/', cron }
    const { status, body } = await sendLong('POST', `/jobs/${jobId}/endpoints`, given)
    expect([status, body.status]).toEqual([201, 'active'])
    expect(body.identity).toMatch(/^sha256:[0-9a-f]{64}$/)
  })
})
