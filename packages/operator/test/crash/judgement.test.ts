import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from './job-ledger.js'
import { type Case, judge } from './judgement.js'

const since = Date.parse('2026-03-01T00:00:00Z')
const minuteMs = 60_000
/** Five minutes in ten seconds. */
const pace = { since, factor: 30 }
const roundMs = 10_000

/** A Job of the period that begins so many rounds after the start. */
function entry(round: number, more: Partial<LedgerEntry> = {}): LedgerEntry {
  const period = new Date(since + round * 5 * minuteMs).toISOString().replace('.000Z', 'Z')
  const createdAt = since + round * roundMs + 500
  const name = `a-${round}`
  const times = { createdAt, endedAt: createdAt + 1000, goneAt: createdAt + 2000 }
  return { uid: `${name}-${createdAt}`, name, kronJob: 'ns/a', period, ...times, ...more }
}

function scene(entries: LedgerEntry[], more: Partial<Case> = {}): Case {
  return {
    entries,
    jobs: [{ identity: 'ns/a', concurrency: 'forbid', windowMs: minuteMs }],
    pace,
    periodMs: 5 * minuteMs,
    deadlineMs: 4.5 * minuteMs,
    observed: { from: since + 5000, to: since + 45_000 },
    outages: [],
    lives: [{ from: since, to: since + 50_000 }],
    ...more,
  }
}

describe('the judge of a run', () => {
  it('counts the periods that began and ended while it watched', () => {
    const verdict = judge(scene([entry(1), entry(2), entry(3)]))
    const nothing = { twice: [], lost: [], overlapping: [], yielded: 0, cutOff: [] }
    expect(verdict).toEqual({ periods: 3, ...nothing })
  })

  it('finds a period that has no Job', () => {
    expect(judge(scene([entry(1), entry(3)])).lost).toEqual(['ns/a 2026-03-01T00:10:00Z'])
  })

  it('finds a period that had two, even if the first was gone by then, or out of its time', () => {
    const second = entry(0, { uid: 'other', createdAt: since + 9000 })
    const verdict = judge(scene([entry(0), second, entry(1), entry(2), entry(3)]))
    expect(verdict.twice).toEqual(['ns/a 2026-03-01T00:00:00Z'])
  })

  it('finds a Job that began while another one was active', () => {
    const long = entry(1, { endedAt: since + 21_000, goneAt: null })
    const verdict = judge(scene([long, entry(2), entry(3)]))
    expect(verdict.overlapping).toEqual(['ns/a 2026-03-01T00:10:00Z'])
  })

  it('lets a period give way to a Job that was active when it was due', () => {
    const long = entry(1, { endedAt: since + 23_000, goneAt: null })
    expect(judge(scene([long, entry(3)]))).toMatchObject({ lost: [], yielded: 1 })
  })

  it('excuses a period for which there was hardly an API server, and no other', () => {
    const outages = [{ from: since + 19_000, to: since + 27_000 }]
    const verdict = judge(scene([entry(1), entry(3)], { outages }))
    expect(verdict).toMatchObject({ lost: [], cutOff: ['ns/a 2026-03-01T00:10:00Z'] })
    const shorter = [{ from: since + 19_000, to: since + 24_000 }]
    expect(judge(scene([entry(1), entry(3)], { outages: shorter })).lost).toHaveLength(1)
  })

  it('gives a replacement its time from when the Job in its way was gone', () => {
    const replacing = {
      jobs: [{ identity: 'ns/a', concurrency: 'replace' as const, windowMs: 0 }],
      lives: [{ from: since + 19_000, to: since + 26_000 }],
    }
    const gone = (second: number): LedgerEntry =>
      entry(1, { endedAt: null, goneAt: since + second * 1000 })
    const late = judge(scene([gone(24), entry(3)], replacing))
    expect(late).toMatchObject({ lost: [], cutOff: ['ns/a 2026-03-01T00:10:00Z'] })
    expect(judge(scene([gone(22), entry(3)], replacing)).lost).toHaveLength(1)
  })

  it('excuses a period for which no controller lived long enough, and no other', () => {
    const lives = [19, 21, 23, 25, 27].map((second) => {
      return { from: since + second * 1000, to: since + second * 1000 + 1900 }
    })
    const verdict = judge(scene([entry(1), entry(3)], { lives }))
    expect(verdict).toMatchObject({ lost: [], cutOff: ['ns/a 2026-03-01T00:10:00Z'] })
    const longer = [...lives, { from: since + 24_000, to: since + 30_000 }]
    expect(judge(scene([entry(1), entry(3)], { lives: longer })).lost).toHaveLength(1)
  })
})
