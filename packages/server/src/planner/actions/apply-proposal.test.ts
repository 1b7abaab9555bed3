import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow as now } from '../../../testing/sample-endpoint.js'
import { SampleStore } from '../../../testing/sample-store.js'
import {
  defaultAdaptive,
  type Endpoint,
  type EndpointDefinition,
  newId,
  noSystemQuotas,
  type Plan,
  type PlannerAction,
} from '../../domain/index.js'
import { applyProposal } from './apply-proposal.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let sample: SampleStore

beforeEach(async () => {
  sample = await SampleStore.open()
})

afterEach(async () => {
  await sample.store.close()
})

/** An endpoint on which planners may act. */
function added(change: Partial<EndpointDefinition> = {}, tenantId?: string) {
  return sample.addEndpoint({ planner: 'on', ...change }, tenantId)
}

const interval = (intervalMs: number, ttlMinutes = 30): PlannerAction => ({
  kind: 'proposeInterval',
  intervalMs,
  ttlMinutes,
  reason: 'because',
})
const nextTime = (nextRunAt: number, ttlMinutes = 60): PlannerAction => ({
  kind: 'proposeNextTime',
  nextRunAt,
  ttlMinutes,
  reason: 'because',
})
const pause = (until: number): PlannerAction => ({ kind: 'pauseUntil', until, reason: 'because' })
const clear: PlannerAction = { kind: 'clearHints', reason: 'because' }

function apply(endpoint: Pick<Endpoint, 'id'>, ...actions: PlannerAction[]) {
  return sample.store.tenant(sample.tenantId, (rows) =>
    applyProposal(rows, {
      id: newId('ses', now),
      planner: 'rules',
      endpointId: endpoint.id,
      startedAt: now,
      read: { why: 'failure' },
      proposal: { said: 'said', actions, cost: { calls: 0, tokens: 0 } },
    }),
  )
}

async function change(endpoint: Endpoint, changed: Partial<Plan>): Promise<void> {
  await sample.store.tenant(sample.tenantId, async (rows) => {
    const found = await rows.endpoints.get(endpoint.id)
    await rows.plans.put({ ...found!.plan, ...changed })
  })
}

const auditOf = async (endpoint: Endpoint) =>
  (
    await sample.store.tenant(sample.tenantId, (rows) =>
      rows.audit.list({ limit: 10, after: null, subject: endpoint.id }),
    )
  ).items

describe('a proposal', () => {
  it('becomes a hint, a new plan, an audit entry and a session', async () => {
    const endpoint = await added(byInterval(5 * minute))
    const session = await apply(endpoint, interval(20 * minute))
    expect(await sample.planOf(endpoint)).toMatchObject({
      nextRunAt: now + 20 * minute,
      source: 'ai-interval',
      intervalHint: {
        intervalMs: 20 * minute,
        expiresAt: now + 30 * minute,
        reason: 'because',
        by: 'planner:rules',
      },
    })
    expect(await auditOf(endpoint)).toMatchObject([
      {
        actor: 'planner:rules',
        action: 'endpoint.hint_interval',
        before: { intervalHint: null },
        after: { intervalHint: { intervalMs: 20 * minute, expiresAt: '2026-03-01T12:30:30Z' } },
        reason: 'because',
      },
    ])
    const stored = await sample.store.tenant(sample.tenantId, (rows) =>
      rows.sessions.get(session!.id),
    )
    expect(stored).toEqual(session)
    expect(session).toMatchObject({
      planner: 'rules',
      read: { why: 'failure' },
      said: 'said',
      actions: [interval(20 * minute)],
      refused: [],
    })
  })

  it('wakes workers that sleep past the new plan', async () => {
    const endpoint = await added(byInterval(hour))
    const woken: number[] = []
    sample.store.signals.onWake((instant) => woken.push(instant))
    await apply(endpoint, nextTime(now + 20 * minute))
    expect(woken).toEqual([now + 20 * minute])
  })

  it('pauses with a reason', async () => {
    const endpoint = await added()
    await apply(endpoint, pause(now + day))
    expect(await sample.planOf(endpoint)).toMatchObject({
      source: 'paused',
      nextRunAt: now + day,
      pausedUntil: now + day,
      pauseReason: 'because',
    })
    expect(await auditOf(endpoint)).toMatchObject([
      { action: 'endpoint.pause', after: { pausedUntil: '2026-03-02T12:00:30Z' } },
    ])
  })

  it('is audited with instants as people read them', async () => {
    const endpoint = await added(byInterval(hour))
    await apply(endpoint, nextTime(now + 20 * minute))
    const [entry] = await auditOf(endpoint)
    expect([entry!.before, entry!.after]).toEqual([
      { oneShotHint: null },
      {
        oneShotHint: {
          nextRunAt: '2026-03-01T12:20:30Z',
          giver: 'rules',
          expiresAt: '2026-03-01T13:00:30Z',
          reason: 'because',
          by: 'planner:rules',
        },
      },
    ])
  })

  it('clears the hints of planners, and leaves those of people', async () => {
    const endpoint = await added(byInterval(5 * minute))
    const oneShotHint = { nextRunAt: now + hour, expiresAt: now + day, reason: null, by: 'key_1' }
    await apply(endpoint, interval(minute))
    await change(endpoint, { oneShotHint })
    await apply(endpoint, clear)
    expect(await sample.planOf(endpoint)).toMatchObject({ intervalHint: null, oneShotHint })
  })

  it('is done action by action: one that is refused does not stop the others', async () => {
    const endpoint = await added({ ...byInterval(5 * minute), minIntervalMs: minute })
    const session = await apply(endpoint, interval(1000), pause(now + hour), interval(2 * minute))
    expect(session).toMatchObject({
      actions: [pause(now + hour), interval(2 * minute)],
      refused: [
        {
          action: interval(1000),
          why: '1s is below the minimum interval of 1m',
        },
      ],
    })
  })

  it('is nothing for an endpoint that is gone', async () => {
    expect(await apply({ id: 'ep_00000000000000000000000099' }, pause(now + hour))).toBeNull()
  })

  it('waits in the plan of an endpoint whose run is under way', async () => {
    const endpoint = await added(byInterval(5 * minute))
    const held = {
      scheduledFor: now,
      source: 'baseline-interval' as const,
      leaseUntil: now + minute,
      deliveries: 1,
    }
    await change(endpoint, { held, handledThrough: now })
    await apply(endpoint, interval(20 * minute))
    const plan = await sample.planOf(endpoint)
    expect(plan.held).toEqual(held)
    expect(plan.intervalHint?.intervalMs).toBe(20 * minute)
  })
})

describe('a proposal for an endpoint with planner: suggest', () => {
  it('is kept with what it would have changed, and nothing moves', async () => {
    const endpoint = await added({ ...byInterval(5 * minute), planner: 'suggest' })
    const before = await sample.planOf(endpoint)
    const session = await apply(endpoint, interval(20 * minute), interval(1))
    expect(session).toMatchObject({
      actions: [],
      suggested: [
        {
          action: interval(20 * minute),
          before: { nextRunAt: now + 5 * minute, source: 'baseline-interval' },
          after: { nextRunAt: now + 20 * minute, source: 'ai-interval' },
        },
      ],
      refused: [{ why: expect.stringContaining('below the minimum') }],
    })
    expect(await sample.planOf(endpoint)).toEqual(before)
    expect(await auditOf(endpoint)).toEqual([])
  })
})

describe('an action is refused', () => {
  const at = (time: string): number => Date.parse(`2026-03-01T${time}:00Z`)
  const ttl = { ttlMinutes: 600 }
  const limits = { minIntervalMs: minute, maxIntervalMs: hour }

  it.each<[string, PlannerAction, string]>([
    ['below the minimum', interval(minute - 1), 'below the minimum interval'],
    ['above the maximum', interval(hour + 1), 'above the maximum interval'],
    ['of no interval', interval(0), 'intervalMs must be a whole number'],
    ['of half a millisecond', interval(90_000.5), 'intervalMs must be a whole number'],
    ['of 300 years', interval(300 * 366 * day), 'intervalMs must be a whole number'],
    ['of text', interval('60000' as never), 'intervalMs must be a whole number'],
    ['without a time to live', interval(minute, 0), 'ttlMinutes must be'],
    ['that lives too long', interval(minute, 10_081), 'ttlMinutes must be'],
    ['in the past', nextTime(now - 1), 'must not be in the past'],
    ['too soon', nextTime(now + 1), 'less than the minimum interval after 2026-03-01T12:00:30Z'],
    ['too late', nextTime(now + hour + 1, 90), 'more than the maximum interval after'],
    ['after its own end', nextTime(now + 11 * minute, 10), 'after the hint expires'],
    ['that pauses until now', pause(now), 'must end in the future'],
    ['that pauses too long', pause(now + 7 * day + 1), '7 days at most'],
    ['that clears nothing', clear, 'no hint that a planner gave'],
    ['without a reason', { ...clear, reason: ' ' }, 'gives no reason'],
    ['with a novel for a reason', { ...clear, reason: 'x'.repeat(501) }, 'longer than 500'],
    ['that does not exist', { kind: 'delete', reason: 'x' } as never, 'no such action'],
  ])('%s', async (_, action, why) => {
    const endpoint = await added({ ...byInterval(5 * minute), ...limits })
    const before = await sample.planOf(endpoint)
    const session = await apply(endpoint, action)
    expect(session).toMatchObject({
      actions: [],
      refused: [{ action, why: expect.stringContaining(why) }],
    })
    expect(await sample.planOf(endpoint)).toEqual(before)
    expect(await auditOf(endpoint)).toEqual([])
  })

  it.each<[string, PlannerAction]>([
    ['the minimum', interval(minute)],
    ['the maximum', interval(hour)],
    ['the longest life', interval(minute, 10_080)],
    ['a minimum from now', nextTime(now + minute)],
    ['a maximum from now', nextTime(now + hour, 61)],
    ['the longest pause', pause(now + 7 * day)],
    ['the longest reason', { ...pause(now + 1), reason: 'x'.repeat(500) }],
  ])('not at %s', async (_, action) => {
    const endpoint = await added({ ...byInterval(5 * minute), ...limits })
    expect(await apply(endpoint, action)).toMatchObject({ actions: [action], refused: [] })
  })

  it.each([
    ['a quarter of the baseline', interval(75_000), true],
    ['less than that', interval(74_999), false],
    ['twelve times the baseline', interval(hour, 90), true],
    ['more than that', interval(hour + 1, 90), false],
  ])('beyond the band around an interval without limits: %s', async (_, action, isDone) => {
    const endpoint = await added(byInterval(5 * minute))
    expect((await apply(endpoint, action))!.actions).toEqual(isDone ? [action] : [])
  })

  it.each<[string, PlannerAction, boolean]>([
    ['an interval', interval(20 * minute), false],
    ['a time between', nextTime(now + 20 * minute), false],
    ['a time of the schedule that @avoid rules out', nextTime(at('15:00')), false],
    ['a time of the schedule', nextTime(at('16:00')), true],
    ['a pause', pause(now + hour), true],
  ])('that leaves the calendar of a cron: %s', async (_, action, isDone) => {
    const endpoint = await added(byCron('0 * * * * @avoid(hours=15)'))
    const session = await apply(endpoint, { ...action, ...('ttlMinutes' in action && ttl) })
    expect(session!.actions).toHaveLength(isDone ? 1 : 0)
  })

  it('unless the endpoint lets planners leave its cron', async () => {
    const adaptive = { ...defaultAdaptive, outsideCron: true }
    const endpoint = await added({ ...byCron('0 * * * *'), adaptive })
    expect((await apply(endpoint, interval(20 * minute)))!.refused).toEqual([])
  })

  it('when the endpoint has planner: off', async () => {
    const endpoint = await added({ planner: 'off' })
    expect(await apply(endpoint, pause(now + hour))).toMatchObject({
      actions: [],
      refused: [{ why: 'the endpoint has planner: off' }],
    })
  })

  it('when the job is not active', async () => {
    const endpoint = await added()
    await change(endpoint, { suspended: true })
    expect(await apply(endpoint, pause(now + hour))).toMatchObject({
      refused: [{ why: 'the job is not active' }],
    })
  })

  it('over a hint of a person or a response, until that has expired', async () => {
    const endpoint = await added(byInterval(5 * minute))
    const given = { expiresAt: now + 1, reason: null }
    const intervalHint = { ...given, intervalMs: minute, by: 'key_1' }
    const oneShotHint = { ...given, nextRunAt: now + hour, by: 'response' }
    await change(endpoint, { intervalHint, oneShotHint })
    // A hint of the other kind, or a pause, would take its place as well.
    const actions = [interval(2 * minute), nextTime(now + 2 * minute), pause(now + hour)]
    const whys = async () => (await apply(endpoint, ...actions))!.refused.map(({ why }) => why)
    const by = (giver: string) => `a hint by ${giver} is in force until 2026-03-01T12:00:30.001Z`
    expect(await whys()).toEqual(Array(3).fill(by('key_1')))
    await change(endpoint, { intervalHint: { ...intervalHint, expiresAt: now } })
    expect(await whys()).toEqual(Array(3).fill(by('response')))
    await change(endpoint, { oneShotHint: { ...oneShotHint, expiresAt: now } })
    expect(await whys()).toEqual([])
  })

  it('when it would shorten a pause', async () => {
    const endpoint = await added()
    await change(endpoint, { pausedUntil: now + day })
    expect((await apply(endpoint, pause(now + hour)))!.refused).toMatchObject([
      { why: 'it is paused until 2026-03-02T12:00:30Z already' },
    ])
  })

  it('when there are too many', async () => {
    const endpoint = await added(byInterval(5 * minute))
    const actions = Array.from({ length: 10 }, (_, index) => interval(2 * minute + index))
    const session = await apply(endpoint, ...actions)
    expect(session!.actions).toHaveLength(8)
    expect(session!.refused.map(({ why }) => why)).toEqual(
      Array(2).fill('there are too many actions'),
    )
  })

  it.each([
    ['quota of runs', { runsPerMonth: 1 }, noSystemQuotas],
    ['quota of runs for the whole system', {}, { ...noSystemQuotas, runsPerMonth: 1 }],
  ])(
    'when it asks for runs and the %s is used up, but a pause is not',
    async (name, quotas, ofAll) => {
      await sample.store.close()
      sample = await SampleStore.open({ quotas }, ofAll)
      const endpoint = await added(byInterval(5 * minute))
      await sample.run(endpoint)
      const actions = [
        interval(2 * minute),
        nextTime(sample.now + 2 * minute),
        pause(sample.now + hour),
      ]
      const session = await apply(endpoint, ...actions)
      expect(session!.refused.map(({ why }) => why)).toEqual(
        Array(2).fill(`the ${name} is used up`),
      )
      expect(session!.actions).toEqual([actions[2]])
    },
  )
})
