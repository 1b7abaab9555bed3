import { tzdataVersion } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow as now, samplePlan } from '../../testing/sample-endpoint.js'
import { type EndpointDefinition, monthEnd, type Plan } from '../domain/index.js'
import { RunAllowance, replan } from '../scheduling/index.js'
import { explainPlan } from './explanation.js'

const minute = 60_000
const hour = 60 * minute

function explained(definition: Partial<EndpointDefinition>, change: Partial<Plan> = {}) {
  const { plan, compiled } = samplePlan({ planner: 'on', ...definition }, change)
  // Hints that expired are there until the next plan is made.
  const { intervalHint, oneShotHint } = plan
  const planned = { ...replan(plan, compiled, now), intervalHint, oneShotHint }
  return explainPlan(planned, compiled, now)
}

const hint = (expiresAt: number) => ({ expiresAt, reason: 'high load', by: 'planner:rules' })

describe('the explanation of a plan', () => {
  it('lists all candidates in the order of the Governor', () => {
    const { candidates, plan, state, sentences } = explained(byInterval(5 * minute), {
      lastRunAt: now - minute,
      oneShotHint: { ...hint(now - 1), nextRunAt: now + 1 },
      intervalHint: { ...hint(now + hour), intervalMs: 2 * minute },
    })
    expect(candidates).toEqual([
      {
        kind: 'paused',
        nextRunAt: null,
        valid: false,
        chosen: false,
        why: 'it is not paused',
      },
      {
        kind: 'ai-oneshot',
        nextRunAt: null,
        valid: false,
        chosen: false,
        why: 'the one-shot hint expired at 2026-03-01T12:00:29.999Z',
      },
      {
        kind: 'ai-interval',
        nextRunAt: '2026-03-01T12:01:30Z',
        valid: true,
        chosen: true,
        why: 'every 2m, interval hint by rules until 2026-03-01T13:00:30Z: high load',
      },
      {
        kind: 'baseline-cron',
        nextRunAt: null,
        valid: false,
        chosen: false,
        why: 'the endpoint has the other baseline',
      },
      {
        kind: 'baseline-interval',
        nextRunAt: '2026-03-01T12:04:30Z',
        valid: true,
        chosen: false,
        why: '5m after the last run',
      },
    ])
    expect(plan).toEqual({
      nextRunAt: '2026-03-01T12:01:30Z',
      source: 'ai-interval',
      periodId: '2026-03-01T12:01:30Z',
    })
    expect(state).toBe('planned')
    expect(sentences).toEqual([
      'It runs next at 2026-03-01T12:01:30Z (in 1m), because of an interval hint.',
    ])
  })

  it('speaks in durations, never in numbers of milliseconds', () => {
    const { candidates, sentences } = explained(
      { ...byInterval(16 * minute, 90_000), minIntervalMs: 8 * hour },
      { lastRunAt: now, intervalHint: { ...hint(now + 9 * hour), intervalMs: 16 * minute } },
    )
    expect(candidates.slice(2).map(({ why }) => why)).toEqual([
      'every 16m, interval hint by rules until 2026-03-01T21:00:30Z: high load',
      'the endpoint has the other baseline',
      '16m and up to 1m30s after the last run',
    ])
    expect(sentences.join(' ')).toContain('the minimum interval of 8h since 2026-03-01T12:00:30Z')
  })

  it('gives the value of every candidate that counts, chosen or not', () => {
    const { candidates } = explained(byInterval(5 * minute), {
      lastRunAt: now,
      pausedUntil: now + hour,
      oneShotHint: { ...hint(now + hour), nextRunAt: now + 3 * minute },
      intervalHint: { ...hint(now + hour), intervalMs: 2 * minute },
    })
    const valid = candidates.filter((candidate) => candidate.valid)
    expect(valid.map(({ kind, nextRunAt, chosen }) => [kind, nextRunAt, chosen])).toEqual([
      ['paused', '2026-03-01T13:00:30Z', true],
      ['ai-oneshot', '2026-03-01T12:03:30Z', false],
      ['ai-interval', '2026-03-01T12:02:30Z', false],
      ['baseline-interval', '2026-03-01T12:05:30Z', false],
    ])
  })

  it('does not go back behind what was handled when the clock does', () => {
    const { candidates, decision } = explained(byCron('*/5 * * * *'), {
      handledThrough: Date.UTC(2026, 2, 1, 12, 5),
    })
    expect(candidates[3]).toMatchObject({ chosen: true, nextRunAt: '2026-03-01T12:10:00Z' })
    expect(decision!.periodId).toBe('2026-03-01T12:10:00Z')
  })

  it('says what a limit did', () => {
    const { clamp, plan, sentences } = explained(
      { ...byCron('*/5 * * * *', 'Europe/Paris'), minIntervalMs: 10 * minute },
      { lastRunAt: now },
    )
    expect(plan.source).toBe('clamped-min')
    expect(clamp).toEqual({
      limit: 'minIntervalMs',
      intervalMs: 10 * minute,
      since: '2026-03-01T12:00:30Z',
      wanted: '2026-03-01T12:05:00Z',
      nextRunAt: '2026-03-01T12:10:30Z',
    })
    expect(sentences).toEqual([
      'It runs next at 2026-03-01T12:10:30Z (in 10m), because of its baseline, "*/5 * * * *" in ' +
        'Europe/Paris.',
      'That is the minimum interval of 10m since 2026-03-01T12:00:30Z; without it: ' +
        '2026-03-01T12:05:00Z.',
    ])
  })

  it('tells how a window was decided', () => {
    const { decision, sentences, plan } = explained(
      byCron('0 14 * * * @win(after,1h) @avoid(between=14:00-14:30)'),
    )
    expect(decision).toMatchObject({
      schedule: '0 14 * * *',
      timezone: 'UTC',
      tzdata: tzdataVersion,
      periodId: '2026-03-01T14:00:00Z',
      window: {
        mode: 'after',
        duration: '1h',
        start: '2026-03-01T14:00:00Z',
        end: '2026-03-01T15:00:00Z',
      },
      chosenTime: plan.nextRunAt,
      distribution: { name: 'uniform' },
      seed: { strategy: 'stable', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(decision!.draws.at(-1)).toMatchObject({ candidate: plan.nextRunAt, rejectedBy: null })
    expect(decision!.draws.slice(0, -1).every(({ rejectedBy }) => rejectedBy !== null)).toBe(true)
    expect(sentences[1]).toContain(
      'drawn from the window of 1h between 2026-03-01T14:00:00Z and 2026-03-01T15:00:00Z',
    )
  })

  it('tells a pause with its reason', () => {
    const { state, plan, sentences, candidates } = explained(byInterval(minute), {
      pausedUntil: now + hour,
      pauseReason: 'maintenance',
    })
    expect([state, plan.source]).toEqual(['planned', 'paused'])
    expect(candidates[0]).toMatchObject({ chosen: true, nextRunAt: '2026-03-01T13:00:30Z' })
    expect(sentences).toEqual([
      'It is paused until 2026-03-01T13:00:30Z: maintenance. It is planned again then.',
    ])
  })

  it('does not count the hours of centuries', () => {
    const pausedUntil = Date.parse('9999-12-31T23:59:59Z')
    const paused = { pausedUntil, nextRunAt: pausedUntil, source: 'paused' } as const
    const { plan, compiled } = samplePlan(byInterval(5000), paused)
    const [sentence] = explainPlan(plan, compiled, now).sentences
    expect(sentence).toContain('9999-12-31T23:59:59Z')
    const oneShot = { nextRunAt: pausedUntil, expiresAt: pausedUntil + 1, reason: null, by: 'a' }
    const hinted = samplePlan(byInterval(5000), {
      oneShotHint: oneShot,
      nextRunAt: pausedUntil,
      source: 'ai-oneshot',
    })
    const [far] = explainPlan(hinted.plan, hinted.compiled, now).sentences
    expect(far).toContain('9999-12-31T23:59:59Z (in more than 100 years)')
  })

  it('tells what stands in the way of any plan', () => {
    expect(explained(byInterval(minute), { suspended: true })).toMatchObject({
      state: 'suspended',
      plan: { nextRunAt: null },
      sentences: ['Nothing is planned: the endpoint is archived, or its job is not active.'],
    })
    const never = explained(byCron('0 0 * * * @only(date=2020-01-01)'))
    expect(never).toMatchObject({ state: 'finished', decision: null })
    expect(never.sentences[0]).toMatch(/^It has finished: no time of "0 0 /)
    const { plan, compiled } = samplePlan(byInterval(minute))
    const waiting: Plan = { ...plan, source: 'quota', nextRunAt: Date.UTC(2026, 3, 1) }
    expect(explainPlan(waiting, compiled, now)).toMatchObject({
      state: 'quota',
      plan: { nextRunAt: '2026-04-01T00:00:00Z', source: 'quota' },
    })
  })

  it('tells of every hint that ends before what it asks for', () => {
    const { sentences, plan, candidates } = explained(byCron('0 15 * * *'), {
      lastRunAt: now,
      oneShotHint: { ...hint(now + minute), nextRunAt: now + 5 * hour },
      intervalHint: { ...hint(now + hour), intervalMs: 2 * hour },
    })
    expect(plan.source).toBe('baseline-cron')
    expect(candidates.map(({ valid }) => valid)).toEqual([false, false, false, true, false])
    expect(sentences.slice(0, 2)).toEqual([
      'The run at 2026-03-01T17:00:30Z that a hint asks for will not start: the hint ends before it, ' +
        'at 2026-03-01T12:01:30Z.',
      'The run at 2026-03-01T14:00:30Z that a hint asks for will not start: the hint ends before it, ' +
        'at 2026-03-01T13:00:30Z.',
    ])
  })

  it('does not call a run undone that comes at the same time without the hint', () => {
    const { sentences, plan } = explained(
      { ...byInterval(5 * hour), maxIntervalMs: hour },
      { lastRunAt: now, oneShotHint: { ...hint(now + minute), nextRunAt: now + 3 * hour } },
    )
    expect(plan).toMatchObject({ source: 'clamped-max', nextRunAt: '2026-03-01T13:00:30Z' })
    expect(sentences[0]).toBe(
      'It runs next at 2026-03-01T13:00:30Z (in 1h), because of its baseline, every 5h.',
    )
  })

  it('says behind a run under way that the quota is used up', () => {
    const source = 'baseline-interval' as const
    const held = { scheduledFor: now, source, leaseUntil: now + minute, deliveries: 1 }
    const definition = { ...byInterval(minute), minIntervalMs: hour }
    const { plan, compiled } = samplePlan(definition, { held, handledThrough: now })
    const explanation = explainPlan(plan, compiled, now, new RunAllowance(3, 10, now))
    expect(explanation).toMatchObject({
      state: 'running',
      plan: { source: 'quota', nextRunAt: '2026-04-01T00:00:00Z' },
      clamp: null,
    })
    expect(explanation.sentences[1]).toMatch(/^The quota of runs is used up; it is planned again/)
  })

  it.each([
    ['and how high it is', 3, /^The quota of 3 runs a month for the whole system is used up; it/],
    ['as far as is known', null, /^The quota of runs for the whole system is used up; it is/],
  ])('says that an endpoint waits for the quota of the whole system, %s', (_, perMonth, words) => {
    const nextRunAt = monthEnd(now)
    const waiting = { source: 'system-quota', nextRunAt } as const
    const { plan, compiled } = samplePlan(byInterval(minute), waiting)
    const allowance = new RunAllowance(null, 0, now, { perMonth, used: 3 })
    const explanation = explainPlan(plan, compiled, now, allowance)
    expect(explanation).toMatchObject({ state: 'quota', plan: { source: 'system-quota' } })
    expect(explanation.sentences[0]).toMatch(words)
  })

  it('looks behind a run that is under way', () => {
    const scheduledFor = now - 10_000
    const held = {
      scheduledFor,
      source: 'baseline-interval' as const,
      leaseUntil: now + minute,
      deliveries: 1,
    }
    const { state, plan, sentences } = explained(byInterval(5 * minute), {
      held,
      handledThrough: scheduledFor,
    })
    expect(state).toBe('running')
    expect(plan.nextRunAt).toBe('2026-03-01T12:05:20Z')
    expect(sentences[0]).toBe(
      'The run of 2026-03-01T12:00:20Z is under way. ' +
        'The next plan is made when it ends; if it ended now:',
    )
  })

  it('mentions failures until a success', () => {
    const failing = { failureCount: 3, lastStatus: 'timeout' }
    expect(explained(byInterval(minute), failing).sentences[1]).toBe(
      'Its last run ended as timeout; the count of failures is 3.',
    )
    expect(
      explained(byInterval(minute), { ...failing, lastStatus: 'success' }).sentences,
    ).toHaveLength(1)
  })

  it('chooses what the plan was made from, whatever is known, and is JSON', () => {
    const instant = fc.integer({ min: now - hour, max: now + hour })
    const length = fc.integer({ min: 1, max: hour })
    const anything = fc.record({
      isCron: fc.boolean(),
      limits: fc.tuple(fc.option(length), fc.option(length)),
      lastRunAt: fc.option(instant.map((ms) => Math.min(ms, now))),
      pausedUntil: fc.option(instant),
      interval: fc.option(fc.tuple(length, instant)),
      oneShot: fc.option(fc.tuple(instant, instant)),
    })
    const property = fc.property(anything, ({ limits: [a, b], ...given }) => {
      const explanation = explained(
        {
          ...(given.isCron ? byCron('*/7 * * * *') : byInterval(9 * minute)),
          minIntervalMs: a !== null && b !== null ? Math.min(a, b) : a,
          maxIntervalMs: a !== null && b !== null ? Math.max(a, b) : b,
        },
        {
          lastRunAt: given.lastRunAt,
          pausedUntil: given.pausedUntil,
          intervalHint: given.interval && {
            ...hint(given.interval[1]),
            intervalMs: given.interval[0],
          },
          oneShotHint: given.oneShot && { ...hint(given.oneShot[1]), nextRunAt: given.oneShot[0] },
        },
      )
      const { plan, clamp, candidates } = explanation
      const chosen = candidates.filter((candidate) => candidate.chosen)
      expect(chosen).toHaveLength(1)
      if (clamp === null) {
        expect(plan).toMatchObject({ source: chosen[0]!.kind, nextRunAt: chosen[0]!.nextRunAt })
      } else {
        expect(plan.nextRunAt).toBe(clamp.nextRunAt)
        expect(plan.source).toBe(clamp.limit === 'minIntervalMs' ? 'clamped-min' : 'clamped-max')
      }
      expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation)
    })
    fc.assert(property, { numRuns: 500, seed: 5 })
  })
})
