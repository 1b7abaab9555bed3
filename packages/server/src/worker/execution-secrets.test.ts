import { describe, expect, it } from 'vitest'
import { sampleNow } from '../../testing/sample-endpoint.js'
import { executed, failing, key, retry, start } from '../../testing/worker/executed-run.js'
import { StoreError } from '../store/index.js'

describe('secrets that can not be read', () => {
  const away = new StoreError('unavailable', 'the store is away', 'no')

  it('delay a run while the store is away, and do not make it fail', async () => {
    let reads = 0
    const secrets = async () => {
      if (++reads < 4) throw away
      return []
    }
    const { outcome, sent } = await executed({ secrets })
    expect(sent.map(({ atMs }) => atMs)).toEqual([300])
    expect(outcome).toMatchObject({ status: 'success', startedAt: sampleNow + 300 })
  })

  it('end a run unsent with its lease', async () => {
    const secrets = () => Promise.reject(away)
    const { outcome, sent } = await executed({ secrets, run: { leaseUntil: sampleNow + 5_000 } })
    expect(sent).toEqual([])
    expect(outcome).toMatchObject({ ...key, attempts: 0, response: null })
    expect(outcome).toMatchObject({ status: 'cancelled', reason: 'lease_expired' })
    expect(outcome.endedAt).toBeLessThan(sampleNow + 5_000)
  })

  it('are not waited for to the very end of the lease', async () => {
    const secrets = () => Promise.reject(away)
    const { outcome } = await executed({ secrets, run: { leaseUntil: sampleNow + 1 + 100 } })
    expect(outcome).toMatchObject({ reason: 'lease_expired', endedAt: sampleNow })
  })

  it('for a retry make it fail with the attempts that were made', async () => {
    let reads = 0
    const secrets = async () => {
      if (++reads > 1) throw new Error('the key is not known')
      return []
    }
    const run = { attempts: 3 }
    const { outcome } = await executed({ secrets, change: { retry }, run, target: failing })
    expect(outcome).toMatchObject({ status: 'failure', attempts: 4, startedAt: sampleNow })
  })

  it('for another reason make it fail at once, and say why', async () => {
    const secrets = () => Promise.reject(new Error('the key is not known'))
    const { outcome, sent } = await executed({ secrets })
    expect(sent).toEqual([])
    expect(outcome).toEqual({
      ...key,
      status: 'failure',
      reason: null,
      startedAt: sampleNow,
      endedAt: sampleNow,
      attempts: 0,
      error: { code: 'request_failed', message: 'the key is not known' },
      response: null,
    })
  })

  it('do not turn a run that is stopped meanwhile into a failure', async () => {
    const world = start({ secrets: () => Promise.reject(away) })
    world.begin()
    await world.clock.advanceBy(1_050)
    world.stop.stop('shutdown')
    expect(await world.ended()).toMatchObject({
      status: 'cancelled',
      reason: 'shutdown',
      attempts: 0,
      endedAt: sampleNow + 1_050,
    })
  })
})
