import { describe, expect, it } from 'vitest'
import { byCron, byInterval, sampleNow as now, samplePlan } from '../../testing/sample-endpoint.js'
import type { EndpointDefinition, Plan } from '../domain/index.js'
import type { Memory } from '../learner/index.js'
import { type Learned, learnOutcome } from './learning.js'
import type { Outcome } from './planning.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** An endpoint that lives: each run is learned from, and the next one comes when it is planned. */
class Life {
  readonly #sample
  plan: Plan
  memory: Memory | null = null
  at = now
  readonly notes: string[] = []

  constructor(definition: Partial<EndpointDefinition> = {}, plan: Partial<Plan> = {}) {
    this.#sample = samplePlan({ ...byInterval(5 * minute), ...definition }, plan)
    this.plan = this.#sample.plan
  }

  run(answer: Partial<Outcome> | string, retryAfterMs: number | null = null): Learned | null {
    const change = typeof answer === 'string' ? success(answer) : answer
    const outcome = outcomeAt(this.at, change)
    const { compiled } = this.#sample
    const learned = learnOutcome(
      { ...this.plan, lastRunAt: this.at },
      outcome,
      compiled,
      this.memory,
      outcome.endedAt,
      retryAfterMs,
    )
    if (learned === null) return null
    this.plan = learned.plan
    this.memory = learned.memory
    if (learned.note !== null) this.notes.push(learned.note.why)
    return learned
  }

  /** Every five minutes, whatever is proposed. */
  runs(count: number, answerOf: (at: number) => Partial<Outcome> | string): void {
    for (let n = 0; n < count; n++) {
      this.run(answerOf(this.at))
      this.at += 5 * minute
    }
  }
}

const success = (body: string): Partial<Outcome> => ({
  status: 'success',
  response: { httpStatus: 200, headers: {}, truncated: false, body: Buffer.from(body) },
})

const failure = (httpStatus: number): Partial<Outcome> => ({
  status: 'failure',
  response: { httpStatus, headers: {}, truncated: false, body: new Uint8Array(0) },
})

function outcomeAt(startedAt: number, change: Partial<Outcome>): Outcome {
  return {
    endpointId: 'ep_00000000000000000000000001',
    tenantId: 'ten_00000000000000000000000001',
    scheduledFor: startedAt,
    fence: 1,
    overlapping: false,
    status: 'success',
    reason: null,
    startedAt,
    endedAt: startedAt + 100,
    attempts: 1,
    error: null,
    response: null,
    ...change,
  }
}

describe('the learner, after a run', () => {
  it('gives a hint where planners may act', () => {
    const life = new Life({ planner: 'on' })
    life.run('one')
    expect(life.plan.intervalHint).toEqual({
      intervalMs: expect.any(Number),
      expiresAt: now + 100 + 15 * minute,
      reason: 'from when it changed so far',
      by: 'planner:rules',
    })
  })

  it.each(['suggest', 'off'] as const)('gives none with planner: %s', (planner) => {
    const life = new Life({ planner })
    life.runs(50, () => failure(500))
    expect(life.plan.intervalHint).toBeNull()
    expect(life.plan.oneShotHint).toBeNull()
    expect(life.memory === null).toBe(planner === 'off')
  })

  it('learns nothing from a run that never saw its target', () => {
    const life = new Life({ planner: 'on' })
    expect(life.run({ status: 'cancelled' })).toBeNull()
  })

  it('looks sooner at what has failed, and at what it was before once it works again', () => {
    const life = new Life({ planner: 'on' })
    life.runs(20, () => 'same')
    life.run(failure(500))
    expect(life.plan.intervalHint).toMatchObject({
      intervalMs: 75_000,
      reason: 'it is down, and looked at until it is back',
    })
    life.at += 75_000
    life.run('same')
    expect(life.plan.intervalHint!.intervalMs).toBeGreaterThan(4 * minute)
  })

  it.each([
    [429, null, 1.3 * 5 * minute],
    [429, 20 * minute, 20 * minute + 100],
    [503, 20 * minute, 20 * minute + 100],
    [503, null, 75_000],
    [429, 2 * day, hour],
  ])('answered %d with Retry-After of %s ms, comes again after %s ms', (status, retry, gap) => {
    const life = new Life({ planner: 'on' })
    life.run('one')
    life.at += 5 * minute
    life.memory!.gapMs = 5 * minute
    life.run(failure(status), retry)
    expect(life.plan.intervalHint!.intervalMs).toBe(gap)
  })

  it('finds a change in the body, and none in what it was not told to look at', () => {
    const seen = (changeOf: readonly string[]): number => {
      const life = new Life({ adaptive: { outsideCron: false, budget: 1, changeOf } })
      life.runs(10, (at) => JSON.stringify({ at, depth: 3 }))
      return life.memory!.changedPart
    }
    expect(seen([])).toBeGreaterThan(0)
    expect(seen(['/depth'])).toBe(0)
  })

  it('forgets what it learned of another resource', () => {
    const life = new Life()
    life.runs(10, (at) => String(at))
    const other = new Life({ url: 'https://api.example.com/other' })
    other.memory = life.memory
    other.run('one')
    expect(other.memory!.changedPart).toBe(0)
    expect(other.memory!.since).toBe(now)
  })

  it.each([
    ['a person', 'key_1'],
    ['a response', 'response'],
    ['a model', 'planner:model'],
  ])('leaves a hint by %s alone until it expires', (_, by) => {
    const intervalHint = { intervalMs: minute, expiresAt: now + 101, reason: null, by }
    const life = new Life({ planner: 'on' }, { intervalHint })
    life.run('one')
    expect(life.plan.intervalHint).toEqual(intervalHint)
    life.at += 1
    life.run('one')
    expect(life.plan.intervalHint?.by).toBe('planner:rules')
  })
})

describe('the learner and a cron', () => {
  const cron = byCron('*/10 * * * *')

  it('leaves all of its times while it is up and the budget is whole', () => {
    const life = new Life({ ...cron, planner: 'on' })
    life.runs(100, (at) => String(Math.floor(at / hour)))
    expect(life.plan.oneShotHint).toBeNull()
    expect(life.plan.intervalHint).toBeNull()
  })

  it('leaves times out in a long outage, and chooses among them', () => {
    const life = new Life({ ...cron, planner: 'on' })
    life.runs(1000, () => failure(500))
    const { nextRunAt } = life.plan.oneShotHint!
    expect(nextRunAt % (10 * minute)).toBe(0)
    expect(nextRunAt - life.at).toBeGreaterThan(10 * minute)
  })

  it('uses the part of its times that the budget allows', () => {
    const adaptive = { outsideCron: false, budget: 0.25, changeOf: [] }
    const life = new Life({ ...cron, adaptive, planner: 'on' })
    let runs = 0
    for (const end = now + 10 * day; life.at < end; runs++) {
      life.run('same')
      life.at = life.plan.oneShotHint?.nextRunAt ?? Math.ceil((life.at + 1) / 600_000) * 600_000
    }
    expect(runs / 1440).toBeGreaterThan(0.2)
    expect(runs / 1440).toBeLessThan(0.3)
  })

  it('moves as an interval where the endpoint lets planners leave its cron', () => {
    const adaptive = { outsideCron: true, budget: 1, changeOf: [] }
    const life = new Life({ ...cron, adaptive, planner: 'on' })
    life.run('one')
    expect(life.plan.intervalHint).not.toBeNull()
  })
})

describe('what is kept of it', () => {
  it('is that a target went down and came back, each once', () => {
    const life = new Life()
    life.runs(10, () => 'same')
    life.runs(10, () => failure(500))
    life.runs(10, () => 'same')
    expect(life.notes).toEqual(['down', 'back'])
  })

  it('is not a failure that was alone', () => {
    const life = new Life()
    life.runs(30, (at) => (at === now + 10 * 5 * minute ? failure(500) : 'same'))
    expect(life.notes).toEqual([])
  })

  it('is that calls are limited, and once a day what was learned', () => {
    const life = new Life()
    life.runs(288 * 2, (at) => String(Math.floor(at / hour)))
    life.run(failure(429))
    life.run(failure(429))
    expect(life.notes).toEqual(['learned', 'limited'])
  })

  it('says what would be planned otherwise', () => {
    const life = new Life({ planner: 'suggest' })
    life.runs(10, () => 'same')
    life.run(failure(500))
    life.at += 5 * minute
    const { note } = life.run(failure(500))!
    expect(note).toMatchObject({
      why: 'down',
      action: { kind: 'proposeInterval', intervalMs: 108_000, ttlMinutes: 15 },
      before: { source: 'baseline-interval' },
      after: { source: 'ai-interval' },
    })
    expect(note!.before.nextRunAt! - life.at).toBe(5 * minute)
    expect(note!.after.nextRunAt! - life.at).toBe(108_000)
  })

  it('tells in words when it changes, and what the learner would make of it', () => {
    const life = new Life({ planner: 'suggest' })
    let said = ''
    for (let n = 0; n < 288 * 10; n++) {
      const { note } = life.run(String(Math.floor(life.at / hour)))!
      if (note !== null) said = note.said
      life.at += 5 * minute
    }
    expect(said).toMatch(
      /^A change is seen about every 1h, mostly from minute \d+ to \d+ of the hour\. With the learner it would have \d+ calls a day instead of 288, and would see a change after \d+s instead of 2m\d+s\.$/,
    )
  })
})
