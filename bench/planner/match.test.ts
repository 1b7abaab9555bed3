import { describe, expect, it } from 'vitest'
import { calendarOf } from './calendar.ts'
import { figuresOf, type Tally } from './figures.ts'
import { Match } from './match.ts'
import { outagesOf } from './outages.ts'
import type { Look } from './policies/policy.ts'
import { type Answer, dayMs, hourMs, minuteMs, type Target, type World } from './world.ts'

const up: Answer = { status: 200, durationMs: 100 }

function world(target: () => Partial<Target>, over: Partial<World> = {}): World {
  return {
    name: 'test',
    days: 6,
    baselineMs: 10 * minuteMs,
    minIntervalMs: minuteMs,
    maxIntervalMs: hourMs,
    make: () => ({ changes: [], respond: () => up, ...target() }),
    ...over,
  }
}

/** Plays to the end; `next` is asked after each run and answers the gap, or null. */
function played(
  of: World,
  next: (look: Look) => number | null = () => null,
): { readonly tally: Tally; readonly looks: readonly Look[] } {
  const looks: Look[] = []
  const player = {
    next(look: Look) {
      looks.push(look)
      const gapMs = next(look)
      return gapMs === null ? null : look.at + gapMs
    },
  }
  const match = new Match(of, of.make(1), calendarOf(of), player, outagesOf(of, 1))
  while (!match.isOver) match.step()
  return { tally: match.close(), looks }
}

describe('a match', () => {
  it('begins with the baseline and counts from the fifth day on', () => {
    const { tally, looks } = played(world(() => ({})))
    expect(looks[0]!.at).toBe(10 * minuteMs)
    expect(looks).toHaveLength(6 * 144 - 1)
    expect(tally.calls).toBe(2 * 144)
    expect(tally.wasted).toBe(2 * 144)
    expect(tally.countedMs).toBe(2 * dayMs)
    expect(tally.violations).toBe(0)
  })

  it('measures the delay of each change, and how long the copy was stale', () => {
    const changes = [2 * dayMs, 5 * dayMs + minuteMs, 5 * dayMs + 4 * minuteMs]
    const { tally, looks } = played(world(() => ({ changes })))
    expect(tally.delays).toEqual([9 * minuteMs, 6 * minuteMs])
    expect(tally.staleMs).toBe(9 * minuteMs)
    expect(looks.filter(({ changed }) => changed).map(({ at }) => at)).toEqual([
      2 * dayMs,
      5 * dayMs + 10 * minuteMs,
    ])
  })

  it('leaves changes out that came while the target was down', () => {
    const from = 5 * dayMs + 3 * minuteMs
    const to = from + 34 * minuteMs
    const changes = [from - minuteMs, from + minuteMs]
    const respond = (at: number): Answer =>
      at >= from && at < to ? { status: 500, durationMs: 1 } : up
    const { tally, looks } = played(world(() => ({ changes, respond })))
    expect(tally.delays).toEqual([38 * minuteMs])
    expect(tally.callsWhileDown).toBe(3)
    expect(tally.detections).toEqual([7 * minuteMs])
    expect(tally.recoveries).toEqual([3 * minuteMs])
    expect(looks.filter(({ kind }) => kind === 'down')).toHaveLength(3)
  })

  it('does not take an outage for noticed that nobody looked at', () => {
    const from = 5 * dayMs + minuteMs
    const respond = (at: number): Answer =>
      at >= from && at < from + 3 * minuteMs ? { status: 500, durationMs: 1 } : up
    const { tally } = played(world(() => ({ respond })))
    expect(tally.detections).toEqual([])
    expect(tally.recoveries).toEqual([])
  })

  it('takes 429, and 503 with Retry-After, for a limit and not for an outage', () => {
    const respond = (at: number): Answer =>
      at % hourMs === 0
        ? { status: 429, durationMs: 1 }
        : at % hourMs === 10 * minuteMs
          ? { status: 503, durationMs: 1, retryAfterMs: 5000 }
          : up
    const { tally, looks } = played(world(() => ({ respond })))
    expect(tally.tooMany).toBe(2 * 48)
    expect(tally.callsWhileDown).toBe(0)
    expect(looks.find(({ at }) => at === hourMs + 10 * minuteMs)).toMatchObject({
      kind: 'limited',
      retryAfterMs: 5000,
    })
  })

  it('believes tags and bodies where a world gives them', () => {
    const changes = [5 * dayMs + minuteMs]
    const respond = (at: number): Answer => ({ ...up, etag: String(Math.floor(at / hourMs)) })
    const { tally, looks } = played(world(() => ({ changes, respond })))
    // Once an hour, and not with the first answer, which there is nothing to compare with.
    expect(looks.filter(({ changed }) => changed)).toHaveLength(6 * 24 - 1)
    expect(tally.delays).toEqual([9 * minuteMs])
  })

  it('keeps to the band, whatever a policy wants', () => {
    const short = played(
      world(() => ({})),
      () => 1000,
    )
    expect(short.tally.calls).toBe(2 * 24 * 60)
    const long = played(
      world(() => ({})),
      () => 5 * hourMs,
    )
    expect(long.tally.calls).toBe(2 * 24)
    expect(short.tally.violations + long.tally.violations).toBe(0)
  })

  it('waits for a run that takes longer than its interval', () => {
    const respond = (): Answer => ({ status: 200, durationMs: 25 * minuteMs })
    const { looks, tally } = played(world(() => ({ respond })))
    expect(looks[1]!.at - looks[0]!.at).toBe(25 * minuteMs)
    expect(tally.violations).toBe(0)
  })

  it('stays in the calendar of a cron, and counts what leaves it', () => {
    const office = {
      cron: '*/10 9-16 * * MON-FRI',
      timezone: 'Europe/Paris',
      maxIntervalMs: 4 * dayMs,
    }
    const kept = played(world(() => ({}), office))
    expect(kept.looks[0]!.at).toBe(8 * hourMs)
    expect(kept.tally.violations).toBe(0)
    const left = played(
      world(() => ({}), office),
      () => 33 * minuteMs,
    )
    expect(left.tally.violations).toBeGreaterThan(10)
  })

  it('makes no calls beyond the quota of a month', () => {
    const { looks, tally } = played(world(() => ({}), { days: 40, quota: 1000 }))
    expect(looks.filter(({ at }) => at < 31 * dayMs)).toHaveLength(1000)
    expect(looks[1000]!.at).toBe(31 * dayMs)
    expect(tally.violations).toBe(0)
  })

  it('finds outages to the millisecond', () => {
    const from = 5 * dayMs + 12_345
    const to = from + hourMs + 678
    const respond = (at: number): Answer =>
      at >= from && at < to ? { status: 500, durationMs: 1 } : up
    expect(
      outagesOf(
        world(() => ({ respond })),
        1,
      ),
    ).toEqual([[from, to]])
  })

  it('has figures without any change or outage', () => {
    expect(figuresOf([played(world(() => ({}))).tally], 1)).toMatchObject({
      calls: 288,
      delayMs: 0,
      recoveryP50Ms: 0,
      staleShare: 0,
    })
  })
})
