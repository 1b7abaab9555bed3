import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TenantApi } from '../../../testing/api/tenant-api.js'

const api = new TenantApi()
const { send, createEndpoint: create } = api
beforeEach(api.openWithJob)
afterEach(api.close)

const at = (text: string): Promise<void> => api.clock.advanceTo(Date.parse(text))

async function runsOf(id: string): Promise<readonly (readonly [string, string, string | null])[]> {
  const { body } = await send('GET', `/runs?endpointId=${id}`)
  const rows = body.items as { scheduledFor: string; status: string; reason: string | null }[]
  return rows.map((run) => [run.scheduledFor, run.status, run.reason] as const).toReversed()
}

describe('@policy in the text of a schedule', () => {
  it('decides where the endpoint’s own fields say nothing', async () => {
    const cron = '* * * * * @policy(concurrency=allow,deadline=5s)'
    const { body } = await create({ cron, maxExecutionTimeMs: 600_000 })
    expect(body).toMatchObject({ cron, concurrency: 'allow', deadlineMs: 5000 })
    await at('2026-03-01T02:33:00Z')
    await api.worker.claim()
    await at('2026-03-01T02:34:00Z')
    await api.worker.claim()
    await at('2026-03-01T02:35:10Z')
    await api.worker.claim()
    expect(await runsOf(body.id)).toEqual([
      ['2026-03-01T02:33:00Z', 'running', null],
      ['2026-03-01T02:34:00Z', 'running', null],
      ['2026-03-01T02:35:00Z', 'missed', '10s late, deadline 5s'],
    ])
  })

  it('replaces what is under way', async () => {
    const { body } = await create({ cron: '* * * * * @policy(concurrency=replace)' })
    await at('2026-03-01T02:33:00Z')
    await api.worker.claim()
    await at('2026-03-01T02:34:00Z')
    await api.worker.claim()
    expect(await runsOf(body.id)).toEqual([
      ['2026-03-01T02:33:00Z', 'cancelled', 'replaced'],
      ['2026-03-01T02:34:00Z', 'running', null],
    ])
  })

  it('that says suspend=true keeps the endpoint from running, and tells so', async () => {
    const { body } = await create({ cron: '* * * * * @policy(suspend=true)' })
    expect(body).toMatchObject({ status: 'suspended', nextRunAt: null })
    await at('2026-03-01T03:00:00Z')
    await api.worker.claim()
    expect(await runsOf(body.id)).toEqual([])
    const { body: explanation } = await send('GET', `/endpoints/${body.id}/explain`)
    expect(explanation.state).toBe('suspended')
    expect(explanation.sentences[0]).toBe('Nothing is planned: its schedule says suspend=true.')
    const changed = await send('PATCH', `/endpoints/${body.id}`, { cron: '* * * * *' })
    expect(changed.body).toMatchObject({ status: 'active', nextRunAt: '2026-03-01T03:01:00Z' })
  })

  it.each([
    ['concurrency', 'concurrency=allow', { concurrency: 'replace' }],
    ['concurrency', 'concurrency=allow', { concurrency: 'forbid' }],
    ['deadlineMs', 'deadline=5m', { deadlineMs: 1000 }],
  ])('that contradicts %s (%s, %j) is refused', async (field, policy, given) => {
    const cron = `0 * * * * @policy(${policy})`
    const { status, body } = await create({ cron, ...given })
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ field, code: 'policy_conflict' })],
    ])
    const made = await create({ cron })
    const changed = await send('PATCH', `/endpoints/${made.body.id}`, given)
    expect([changed.status, changed.body.errors?.[0]?.code]).toEqual([400, 'policy_conflict'])
  })

  it('may say the same as a field', async () => {
    const cron = '0 * * * * @policy(concurrency=replace,deadline=5m)'
    const { status } = await create({ cron, concurrency: 'replace', deadlineMs: 300_000 })
    expect(status).toBe(201)
  })

  it('that is not known is refused', async () => {
    const { status, body } = await create({ cron: '0 * * * * @policy(retries=3)' })
    expect([status, body.errors[0].field]).toEqual([400, 'cron'])
  })
})

describe('a schedule counts', () => {
  it('since the endpoint was made: what had to start before does not run', async () => {
    const { body } = await create({ cron: '0 2 * * *' })
    expect(body.nextRunAt).toBe('2026-03-02T02:00:00Z')
    const { body: explanation } = await send('GET', `/endpoints/${body.id}/explain`)
    expect(explanation).toMatchObject({ responsibleSince: '2026-03-01T02:32:20Z' })
    expect(explanation.sentences).toContain(
      'The period of 2026-03-01T02:00:00Z does not run: this schedule applies only since ' +
        '2026-03-01T02:32:20Z.',
    )
  })

  it('with first=run for the period that is current then as well', async () => {
    const { body } = await create({ cron: '0 2 * * * @policy(first=run)' })
    expect(body.nextRunAt).toBe('2026-03-01T02:00:00Z')
    await api.worker.end(await api.worker.claim())
    expect(await runsOf(body.id)).toEqual([['2026-03-01T02:00:00Z', 'success', null]])
    const { body: after } = await send('GET', `/endpoints/${body.id}`)
    expect(after.nextRunAt).toBe('2026-03-02T02:00:00Z')
  })

  it('with first=run and a deadline that has passed as missed', async () => {
    const { body } = await create({ cron: '0 2 * * * @policy(first=run,deadline=10m)' })
    await api.worker.claim()
    expect(await runsOf(body.id)).toEqual([
      ['2026-03-01T02:00:00Z', 'missed', '32m20s late, deadline 10m'],
    ])
  })

  it('since it was changed: an edit starts nothing for a time that had passed', async () => {
    const { body } = await create({ cron: '35 * * * *' })
    await at('2026-03-01T02:35:05Z')
    // No worker has come to 02:35 yet, and the new schedule has that time as well.
    const edited = await send('PATCH', `/endpoints/${body.id}`, { cron: '*/5 * * * *' })
    expect(edited.body.nextRunAt).toBe('2026-03-01T02:40:00Z')
    const { body: explanation } = await send('GET', `/endpoints/${body.id}/explain`)
    expect(explanation.responsibleSince).toBe('2026-03-01T02:35:05Z')
  })

  it('as before when only its policy is changed', async () => {
    const { body } = await create({ cron: '35 * * * *' })
    await at('2026-03-01T02:35:05Z')
    const edited = await send('PATCH', `/endpoints/${body.id}`, { deadlineMs: 60_000 })
    expect(edited.body.nextRunAt).toBe('2026-03-01T02:35:00Z')
    const text = '35 * * * * @policy(deadline=1m)'
    const again = await send('PATCH', `/endpoints/${body.id}`, { cron: text })
    expect(again.body.nextRunAt).toBe('2026-03-01T02:35:00Z')
  })
})
