import { describe, expect, it } from 'vitest'
import {
  byCron,
  byInterval,
  sampleNow as now,
  samplePlan,
  sampleRun,
} from '../../../testing/sample-endpoint.js'
import {
  type EndpointDefinition,
  healthOf,
  instantText,
  type Plan,
  type PlannerAction,
  type Run,
  type RunStatus,
} from '../../domain/index.js'
import { pupilOf } from '../../scheduling/index.js'
import type { PlannerInput } from '../planner.js'
import { rulesPlanner } from './rules-planner.js'

const minute = 60_000
const hour = 60 * minute
const alone = {
  endpoints: 0,
  complete: true,
  failing: 0,
  sameHost: 0,
  sameHostFailing: 0,
  sameSecond: 0,
}

interface Given {
  readonly definition?: Partial<EndpointDefinition>
  readonly plan?: Partial<Plan>
  readonly runs?: readonly Run[]
  readonly siblings?: Partial<PlannerInput['siblings']>
}

async function proposal(given: Given) {
  const definition = { ...byInterval(5 * minute), ...given.definition }
  const { plan, compiled } = samplePlan(definition, {
    lastRunAt: now - minute,
    nextRunAt: now + 4 * minute,
    ...given.plan,
  })
  const runs = given.runs ?? []
  return rulesPlanner.propose(
    {
      endpoint: compiled.endpoint,
      plan,
      runs,
      health: healthOf(runs),
      siblings: { ...alone, ...given.siblings },
      ...pupilOf(compiled),
      why: 'failure',
      now,
    },
    new AbortController().signal,
  )
}

const actionsOf = async (given: Given): Promise<readonly PlannerAction[] | undefined> =>
  (await proposal(given))?.actions

/** The newest first; the last one ended a minute ago. */
const runsOf = (...statuses: RunStatus[]): Run[] =>
  statuses.map((status, index) => sampleRun(now - minute - index * 5 * minute, { status }))

const failures = (count: number): Run[] => runsOf(...Array<RunStatus>(count).fill('failure'))

const refused = (headers: Record<string, string>, httpStatus = 503): Run[] => [
  sampleRun(now - 100, {
    status: 'failure',
    response: { httpStatus, headers, bodyBytes: 0, truncated: false },
  }),
]

describe('the rules planner and Retry-After', () => {
  it('leaves to the learner what is within the band', async () => {
    expect(await proposal({ runs: refused({ 'retry-after': '3500' }, 429) })).toBeNull()
  })

  it('pauses for longer waits, a day at most', async () => {
    expect(await actionsOf({ runs: refused({ 'retry-after': '7200' }) })).toEqual([
      { kind: 'pauseUntil', until: now + 2 * hour, reason: 'Retry-After of the response' },
    ])
    expect(await actionsOf({ runs: refused({ 'retry-after': '999999999' }) })).toMatchObject([
      { kind: 'pauseUntil', until: now + 24 * hour },
    ])
  })

  it('understands a date', async () => {
    const at = now + 2 * hour + 30_000
    const runs = refused({ 'retry-after': new Date(at).toUTCString() })
    expect(await actionsOf({ runs })).toMatchObject([{ kind: 'pauseUntil', until: at }])
  })

  it('pauses a cron to the first of its times after that', async () => {
    const definition = byCron('*/10 * * * * @avoid(between=15:00-15:49)')
    const plan = { nextRunAt: Date.parse('2026-03-01T12:10:00Z') }
    const runs = refused({ 'retry-after': '11000' })
    expect(await actionsOf({ definition, plan, runs })).toMatchObject([
      { kind: 'pauseUntil', until: Date.parse('2026-03-01T15:50:00Z') },
    ])
  })

  it('never waits beyond the maximum interval that its owner has named', async () => {
    const definition = { maxIntervalMs: 20 * minute }
    const given = await proposal({ definition, runs: refused({ 'retry-after': '7200' }) })
    expect(given?.actions).toEqual([])
    expect(given?.said).toBe(
      'It asked to be left alone until 2026-03-01T14:00:30Z; its maximum interval is 20m.',
    )
  })

  it('does nothing when the plan is later anyway, or the wait is over', async () => {
    const plan = { nextRunAt: now + 3 * hour }
    expect(await proposal({ runs: refused({ 'retry-after': '7200' }), plan })).toBeNull()
    const [run] = refused({ 'retry-after': '7200' })
    expect(await proposal({ runs: [{ ...run!, endedAt: now - 3 * hour }] })).toBeNull()
  })

  it.each([
    [''],
    ['soon'],
    ['-5'],
    ['1.5'],
    ['2026-03-01T18:00:00Z'],
    ['Mon, 99 Foo 2026 00:00:00 GMT'],
  ])('takes no notice of %j', async (header) => {
    expect(await proposal({ runs: refused({ 'retry-after': header }) })).toBeNull()
  })

  it('takes no notice of it on a success', async () => {
    const runs = [{ ...refused({ 'retry-after': '7200' })[0]!, status: 'success' as const }]
    expect(await proposal({ runs })).toBeNull()
  })
})

describe('the rules planner and 410 Gone', () => {
  it('pauses for a week, before anything else', async () => {
    const runs = [...refused({ 'retry-after': '60' }, 410), ...failures(9)]
    const { actions, said } = (await proposal({ runs }))!
    const until = now + 7 * 24 * hour
    expect(actions).toEqual([
      { kind: 'pauseUntil', until, reason: 'answered 410 Gone; asked again after a week' },
    ])
    expect(said).toBe(`It answered 410 Gone, so it is paused until ${instantText(until)}.`)
  })

  it('is renewed when the pause is over, and not before', async () => {
    const runs = refused({}, 410)
    expect(await actionsOf({ runs, plan: { pausedUntil: now + 1 } })).toEqual([])
    expect(await actionsOf({ runs, plan: { pausedUntil: now } })).toHaveLength(1)
  })

  it('is about the latest run only', async () => {
    const runs = [sampleRun(now - 50), ...refused({}, 410)]
    expect(await proposal({ runs })).toBeNull()
  })
})

describe('the rules planner in a crowd', () => {
  const definition = byCron('0 * * * *')

  it('proposes a window', async () => {
    const { said, actions } = (await proposal({ definition, siblings: { sameSecond: 12 } }))!
    expect(actions).toEqual([])
    expect(said).toBe(
      'It starts in the same second as 12 others; a window such as @win(after,5m) in its ' +
        'schedule would spread them.',
    )
    const part = { sameSecond: 12, complete: false }
    expect((await proposal({ definition, siblings: part }))?.said).toContain('at least 12 others')
  })

  it('says so beside what else it does', async () => {
    const runs = refused({}, 410)
    const { said, actions } = (await proposal({ definition, runs, siblings: { sameSecond: 10 } }))!
    expect(actions).toHaveLength(1)
    expect(said).toMatch(/^It answered 410 Gone, so it is paused until \S+Z\. It starts /)
  })

  it('says so once, and not with each failure that follows', async () => {
    const many = { definition, siblings: { sameSecond: 10 } }
    expect(await proposal({ ...many, runs: failures(1) })).not.toBeNull()
    expect(await proposal({ ...many, runs: failures(2) })).toBeNull()
  })

  it('is quiet about a few, about windows and about intervals', async () => {
    const many = { sameSecond: 100 }
    for (const given of [
      { definition, siblings: { sameSecond: 9 } },
      { definition: byCron('0 * * * * @win(after,5m)'), siblings: many },
      { definition: byInterval(minute), siblings: many },
    ]) {
      expect(await proposal(given)).toBeNull()
    }
  })
})

it('the rules planner never acts on an endpoint with planner: off', async () => {
  const definition = { planner: 'off' as const }
  const runs = [...refused({ 'retry-after': '600' }, 410), ...failures(9)]
  expect(await proposal({ definition, runs })).toBeNull()
})
