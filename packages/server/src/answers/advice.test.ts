import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow as now, samplePlan } from '../../testing/sample-endpoint.js'
import { instantText } from '../domain/index.js'
import { learn, newMemory } from '../learner/index.js'
import { noQuota, pupilOf, replan } from '../scheduling/index.js'
import { adviceOn } from './advice.js'

const minute = 60_000
const hour = 60 * minute
const fiveMinutes = byInterval(5 * minute)

/** What is remembered after days of an endpoint that changes at minute 20 of each hour. */
function remembered(definition: Parameters<typeof samplePlan>[0], isDown = false) {
  const { compiled } = samplePlan(definition)
  const { band } = pupilOf(compiled)
  const since = now - 10 * 24 * hour
  const memory = newMemory(band.baselineMs, since)
  for (let at = since + 5 * minute; at < now; at += 5 * minute) {
    const changed = (at - 20 * minute) % hour < 5 * minute
    learn(memory, { at, kind: 'ok', changed, retryAfterMs: null }, band, false)
  }
  if (isDown) learn(memory, { at: now, kind: 'down', changed: false, retryAfterMs: null }, band)
  return memory
}

function advice(
  definition: Parameters<typeof samplePlan>[0] = fiveMinutes,
  memory: ReturnType<typeof remembered> | null = remembered(definition),
  lastRunAt: number | null = now,
) {
  const { plan, compiled } = samplePlan(definition, { lastRunAt })
  return adviceOn(replan(plan, compiled, now), compiled, memory, noQuota(), now)
}

describe('advice on an endpoint', () => {
  it('has the next runs of the baseline beside those of the learner', () => {
    const { next } = advice()
    expect(next.baseline).toEqual(
      [1, 2, 3, 4, 5].map((count) => instantText(now + count * 5 * minute)),
    )
    expect(next.learner).toHaveLength(5)
    expect(next.learner).not.toEqual(next.baseline)
    expect([...next.learner].sort()).toEqual(next.learner)
  })

  it('has what was learned, in numbers and in words', () => {
    expect(advice()).toMatchObject({
      planner: 'suggest',
      said: expect.stringMatching(/^A change is seen about every 1h, .* instead of 2m30s\.$/),
      learned: { pattern: 'hour', changesEveryMs: expect.closeTo(hour, -5), downSince: null },
      compared: { baseline: { callsPerDay: expect.closeTo(288, 0) } },
    })
  })

  it('says which of two schedules is in force', () => {
    const suggested = advice()
    const acting = advice({ ...fiveMinutes, planner: 'on' }, remembered(fiveMinutes))
    expect(acting.compared!.learner).toEqual(suggested.compared!.baseline)
    expect(acting.compared!.baseline).toEqual(suggested.compared!.learner)
  })

  it('looks soon again at what is down', () => {
    const { next, learned } = advice(fiveMinutes, remembered(fiveMinutes, true))
    expect(learned!.downSince).toBe(instantText(now))
    expect(next.learner[0]).toBe(instantText(now + 75_000))
  })

  it('keeps to the times of a cron', () => {
    const cron = byCron('*/10 * * * *')
    const { next } = advice(cron, remembered(cron))
    for (const at of [...next.learner, ...next.baseline]) expect(at).toMatch(/:\d0:00Z$/)
  })

  it.each([
    [fiveMinutes, 'Nothing was learned yet: the learner begins with the second run.'],
    [
      { ...fiveMinutes, planner: 'off' as const },
      'Planners leave this endpoint alone: it has planner: off.',
    ],
  ])('says that there is none', (definition, said) => {
    const none = advice(definition, null, null)
    expect(none).toMatchObject({ said, learned: null, compared: null })
    expect(none.next.learner).toEqual(none.next.baseline)
  })

  it('shows the baseline without hints of planners', () => {
    const intervalHint = {
      intervalMs: minute,
      expiresAt: now + hour,
      reason: null,
      by: 'planner:rules',
    }
    const { plan, compiled } = samplePlan(
      { ...fiveMinutes, planner: 'on' },
      { lastRunAt: now, intervalHint },
    )
    const hinted = { ...plan, nextRunAt: now + minute, source: 'ai-interval' as const }
    const { next } = adviceOn(hinted, compiled, null, noQuota(), now)
    expect(next.baseline[0]).toBe(instantText(now + 5 * minute))
  })
})
