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
import { calendarOf } from '../bounds.js'
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
  readonly baselineMs?: number | null
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
      baselineMs: given.baselineMs === undefined ? 5 * minute : given.baselineMs,
      calendar: calendarOf(compiled),
      why: 'failure',
      now,
    },
    new AbortController().signal,
  )
}

const actionsOf = async (given: Given): Promise<readonly PlannerAction[]> =>
  (await proposal(given)).actions

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

const ownHint = (intervalMs: number, expiresAt = now + 10 * hour, by = 'planner:rules') => ({
  intervalHint: { intervalMs, expiresAt, reason: null, by },
})

describe('the rules planner, when runs fail in a row', () => {
  it.each([
    [1, null],
    [2, null],
    [3, 10 * minute],
    [4, 20 * minute],
    [5, 40 * minute],
    [6, hour],
    [50, hour],
  ])('%d times, proposes an interval of %s', async (count, intervalMs) => {
    const actions = await actionsOf({ runs: failures(count) })
    expect(actions.map((action) => action.kind === 'proposeInterval' && action.intervalMs)).toEqual(
      intervalMs === null ? [] : [intervalMs],
    )
  })

  it('gives the hint long enough to see three more runs', async () => {
    expect(await actionsOf({ runs: failures(3) })).toEqual([
      {
        kind: 'proposeInterval',
        intervalMs: 10 * minute,
        ttlMinutes: 30,
        reason: '3 failures in a row',
      },
    ])
    const definition = byInterval(1000)
    const fast = await actionsOf({ definition, baselineMs: 1000, runs: failures(3) })
    expect(fast).toMatchObject([{ intervalMs: 2000, ttlMinutes: 15 }])
  })

  it('counts timeouts, and looks through runs that were never sent', async () => {
    const runs = runsOf('timeout', 'skipped', 'failure', 'cancelled', 'timeout', 'success')
    expect(await actionsOf({ runs })).toMatchObject([{ intervalMs: 10 * minute }])
  })

  it('stays within minimum and maximum', async () => {
    const definition = { maxIntervalMs: 15 * minute }
    expect(await actionsOf({ definition, runs: failures(9) })).toMatchObject([
      { intervalMs: 15 * minute },
    ])
    const long = { maxIntervalMs: 24 * hour }
    expect(await actionsOf({ definition: long, runs: failures(9) })).toMatchObject([
      { intervalMs: 640 * minute },
    ])
    const least = { minIntervalMs: 30 * minute }
    expect(await actionsOf({ definition: least, runs: failures(3) })).toMatchObject([
      { intervalMs: 30 * minute },
    ])
  })

  it('leaves alone what runs rarely enough, and what never comes again', async () => {
    const daily = await proposal({ baselineMs: 24 * hour, runs: failures(9) })
    expect(daily.actions).toEqual([])
    expect(daily.said).toBe('It failed 9 times in a row; its interval is long enough already.')
    expect(await actionsOf({ baselineMs: null, runs: failures(9) })).toEqual([])
  })

  it('renews its own hint only when that would be over by the next run', async () => {
    const lasting = ownHint(hour, now + hour + 1)
    const ending = ownHint(hour, now + hour)
    expect(await actionsOf({ runs: failures(9), plan: lasting })).toEqual([])
    expect(await actionsOf({ runs: failures(9), plan: ending })).toMatchObject([
      { intervalMs: hour },
    ])
    const shorter = ownHint(30 * minute)
    expect(await actionsOf({ runs: failures(9), plan: shorter })).toMatchObject([
      { intervalMs: hour },
    ])
  })

  it('does not replace a hint of somebody else before it has expired', async () => {
    const others = ownHint(minute, now + hour, 'key_1')
    const { actions, said } = await proposal({ runs: failures(4), plan: others })
    expect(actions).toEqual([])
    expect(said).toBe('It failed 4 times in a row; the hint by key_1 stands.')
    const expired = ownHint(minute, now, 'key_1')
    expect(await actionsOf({ runs: failures(4), plan: expired })).toHaveLength(1)
  })
})

describe('the rules planner, when runs of a cron fail in a row', () => {
  const definition = byCron('*/10 * * * * @avoid(between=12:20-12:49)')
  const plan = { lastRunAt: now - minute, nextRunAt: Date.parse('2026-03-01T12:10:00Z') }

  it('leaves times of the schedule out, and chooses among them', async () => {
    const given = { definition, plan, baselineMs: 10 * minute, runs: failures(3) }
    expect(await actionsOf(given)).toMatchObject([
      { kind: 'proposeNextTime', nextRunAt: Date.parse('2026-03-01T12:50:00Z') },
    ])
  })

  it('is as free as with an interval where the endpoint says so', async () => {
    const free = { ...definition, adaptive: { outsideCron: true } }
    const given = { definition: free, plan, baselineMs: 10 * minute, runs: failures(3) }
    expect(await actionsOf(given)).toMatchObject([
      { kind: 'proposeInterval', intervalMs: 20 * minute },
    ])
  })

  it('waits as asked, to the first time of the schedule after that', async () => {
    const runs = refused({ 'retry-after': '1200' })
    expect(await actionsOf({ definition, plan, runs })).toMatchObject([
      { kind: 'proposeNextTime', nextRunAt: Date.parse('2026-03-01T12:50:00Z') },
    ])
  })
})

describe('the rules planner, when it works again', () => {
  const runs = runsOf('success', 'failure', 'failure', 'failure')

  it('takes back the hint it gave', async () => {
    expect(await actionsOf({ runs, plan: ownHint(hour) })).toEqual([
      { kind: 'clearHints', reason: 'recovered' },
    ])
  })

  it('takes back nothing else', async () => {
    expect(await actionsOf({ runs, plan: ownHint(hour, now + hour, 'key_1') })).toEqual([])
    expect(await actionsOf({ runs, plan: ownHint(hour, now) })).toEqual([])
    expect((await proposal({ runs })).said).toBe('There is nothing to do.')
  })
})

describe('the rules planner and Retry-After', () => {
  it('moves the next run to when it is welcome', async () => {
    expect(await actionsOf({ runs: refused({ 'retry-after': '600' }, 429) })).toEqual([
      {
        kind: 'proposeNextTime',
        nextRunAt: now + 600_000,
        ttlMinutes: 70,
        reason: 'Retry-After of the response',
      },
    ])
  })

  it('understands a date', async () => {
    const at = now + 20 * minute
    const [run] = refused({ 'retry-after': new Date(at).toUTCString() })
    const runs = [{ ...run!, endedAt: now - minute }]
    expect(await actionsOf({ runs })).toMatchObject([{ kind: 'proposeNextTime', nextRunAt: at }])
  })

  it('pauses for longer waits, a day at most', async () => {
    expect(await actionsOf({ runs: refused({ 'retry-after': '7200' }) })).toMatchObject([
      { kind: 'pauseUntil', until: now + 2 * hour },
    ])
    expect(await actionsOf({ runs: refused({ 'retry-after': '999999999' }) })).toMatchObject([
      { kind: 'pauseUntil', until: now + 24 * hour },
    ])
  })

  it('never waits beyond the maximum interval', async () => {
    const definition = { maxIntervalMs: 20 * minute }
    const runs = refused({ 'retry-after': '7200' })
    expect(await actionsOf({ definition, runs })).toMatchObject([
      { kind: 'proposeNextTime', nextRunAt: now + 19 * minute },
    ])
  })

  it('does nothing when the plan is later anyway, or the wait is over', async () => {
    const { actions, said } = await proposal({ runs: refused({ 'retry-after': '60' }) })
    expect(actions).toEqual([])
    expect(said).toContain('the plan is later anyway')
    const over = [
      sampleRun(now - hour, { ...refused({ 'retry-after': '60' })[0]!, endedAt: now - hour }),
    ]
    expect((await proposal({ runs: over })).said).toBe('There is nothing to do.')
  })

  it.each([
    [''],
    ['soon'],
    ['-5'],
    ['1.5'],
    ['2026-03-01T13:00:00Z'],
    ['Mon, 99 Foo 2026 00:00:00 GMT'],
  ])('takes no notice of %j', async (header) => {
    expect(await actionsOf({ runs: refused({ 'retry-after': header }) })).toEqual([])
  })

  it('takes no notice of it on a success', async () => {
    const runs = [{ ...refused({ 'retry-after': '3000' })[0]!, status: 'success' as const }]
    expect(await actionsOf({ runs })).toEqual([])
  })

  it('leaves a one-shot of somebody else alone', async () => {
    const oneShotHint = {
      nextRunAt: now + minute,
      expiresAt: now + hour,
      reason: null,
      by: 'response',
    }
    const plan = { oneShotHint, nextRunAt: now + minute }
    expect(await actionsOf({ runs: refused({ 'retry-after': '600' }), plan })).toEqual([])
  })
})

describe('the rules planner and 410 Gone', () => {
  it('pauses for a week, before anything else', async () => {
    const runs = [...refused({ 'retry-after': '60' }, 410), ...failures(9)]
    const { actions, said } = await proposal({ runs })
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
    expect(await actionsOf({ runs })).toEqual([])
  })
})

describe('the rules planner in a crowd', () => {
  const definition = byCron('0 * * * *')

  it('proposes a window', async () => {
    const { said, actions } = await proposal({ definition, siblings: { sameSecond: 12 } })
    expect(actions).toEqual([])
    expect(said).toBe(
      'It starts in the same second as 12 others; a window such as @win(after,5m) in its ' +
        'schedule would spread them.',
    )
    const part = { sameSecond: 12, complete: false }
    expect((await proposal({ definition, siblings: part })).said).toContain('at least 12 others')
  })

  it('says so beside what else it does', async () => {
    const { said, actions } = await proposal({
      definition,
      runs: failures(3),
      siblings: { sameSecond: 10 },
    })
    expect(actions).toHaveLength(1)
    expect(said).toMatch(
      /^It failed 3 times in a row, so it runs next at 2026-03-01T13:00:00Z, a time of its schedule\. It starts /,
    )
  })

  it('is quiet about a few, about windows and about intervals', async () => {
    const many = { sameSecond: 100 }
    for (const given of [
      { definition, siblings: { sameSecond: 9 } },
      { definition: byCron('0 * * * * @win(after,5m)'), siblings: many },
      { definition: byInterval(minute), siblings: many },
    ]) {
      expect((await proposal(given)).said).toBe('There is nothing to do.')
    }
  })
})

it('the rules planner never acts on an endpoint with planner: off', async () => {
  const definition = { planner: 'off' as const }
  const runs = [...refused({ 'retry-after': '600' }, 410), ...failures(9)]
  expect(await proposal({ definition, runs, plan: ownHint(hour) })).toEqual({
    said: 'The endpoint has planner: off.',
    actions: [],
    cost: { calls: 0, tokens: 0 },
  })
})
