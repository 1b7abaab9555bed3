import { describe, expect, it } from 'vitest'
import { type Account, accountOf, type Comparison } from './account.js'
import { type Band, learn } from './learner.js'
import { newMemory } from './memory.js'
import { accountSentence, peakText } from './sentence.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const band: Band = { baselineMs: 5 * minuteMs, minMs: 30_000, maxMs: hourMs, budget: 1 }
/** A Monday. */
const monday = Date.UTC(2026, 2, 2)

/** What is known after weeks of a resource that changes when `isTime` says so. */
function accountAfter(days: number, isTime: (at: number) => boolean): Account {
  const memory = newMemory(band.baselineMs, monday)
  for (let at = monday + band.baselineMs; at < monday + days * dayMs; at += band.baselineMs) {
    const changed = isTime(at)
    learn(memory, { at, kind: 'ok', changed, retryAfterMs: null }, band, false)
  }
  return accountOf(memory, band.baselineMs)
}

describe('what was learned', () => {
  it('is a time of the hour', () => {
    const account = accountAfter(7, (at) => at % hourMs === 20 * minuteMs)
    expect(account).toMatchObject({ pattern: 'hour', changesEveryMs: expect.closeTo(hourMs, -5) })
    expect(account.peak!.fromMs).toBeGreaterThanOrEqual(14 * minuteMs)
    expect(account.peak!.toMs).toBeLessThanOrEqual(22 * minuteMs)
    expect(account.profile).toHaveLength(60)
  })

  it('is a time of the day', () => {
    const account = accountAfter(28, (at) => at % dayMs === 14 * hourMs + 10 * minuteMs)
    expect(account).toMatchObject({ pattern: 'day', changesEveryMs: expect.closeTo(dayMs, -8) })
    expect(account.peak!.fromMs).toBeGreaterThanOrEqual(13.5 * hourMs)
    expect(account.peak!.toMs).toBeLessThanOrEqual(15 * hourMs)
  })

  it('is nothing where nothing changes', () => {
    const account = accountAfter(7, () => false)
    expect(account).toMatchObject({ pattern: 'none', changesEveryMs: null, peak: null })
    expect(accountSentence(account, true)).toBe('No change was seen lately.')
  })
})

describe('the sentence about it', () => {
  const compared: Comparison = {
    days: 10,
    callsPerDay: 288,
    otherCallsPerDay: 280.4,
    delayMs: 150_000,
    otherDelayMs: 31_234,
  }
  const account: Account = {
    since: 0,
    changesEveryMs: 31 * minuteMs,
    changedPart: 0.1,
    pattern: 'day',
    peak: { fromMs: 14 * hourMs, toMs: 15 * hourMs },
    profile: [],
    downSince: null,
    limitMs: null,
    compared,
  }

  it('says what the learner would do where it only suggests', () => {
    expect(accountSentence(account, false)).toBe(
      'A change is seen about every 31m, mostly at 14:00-15:00 UTC. With the learner it would have ' +
        '280 calls a day instead of 288, and would see a change after 31s instead of 2m30s.',
    )
  })

  it('says what the learner does where it acts', () => {
    const acting = { ...compared, callsPerDay: 280.4, otherCallsPerDay: 288 }
    const sooner = { ...acting, delayMs: 31_234, otherDelayMs: 150_000 }
    expect(accountSentence({ ...account, compared: sooner }, true)).toBe(
      'A change is seen about every 31m, mostly at 14:00-15:00 UTC. It has 280 calls a day instead ' +
        'of 288, and sees a change after 31s instead of 2m30s.',
    )
  })

  it('leaves out what is not known', () => {
    const bare = { ...account, pattern: 'none' as const, peak: null, compared: null }
    expect(accountSentence(bare, true)).toBe('A change is seen about every 31m.')
    const unseen = { ...account, compared: { ...compared, delayMs: null, otherDelayMs: null } }
    expect(accountSentence(unseen, false)).toMatch(/instead of 288\.$/)
  })

  it.each([
    ['hour', 17 * minuteMs, 20 * minuteMs, 'from minute 17 to 20 of the hour'],
    ['hour', 58 * minuteMs, 61 * minuteMs, 'from minute 58 to 1 of the hour'],
    ['day', 23.5 * hourMs, 24.5 * hourMs, 'at 23:30-00:30 UTC'],
    ['week', 9 * hourMs, 12 * hourMs, 'on Mon 09:00-12:00 UTC'],
    ['week', 6 * dayMs + 23 * hourMs, 7 * dayMs, 'on Sun 23:00-00:00 UTC'],
    ['week', 23 * hourMs, 26 * hourMs, 'on Mon 23:00-Tue 02:00 UTC'],
  ] as const)('names a time of the %s', (pattern, fromMs, toMs, text) => {
    expect(peakText(pattern, { fromMs, toMs })).toBe(text)
  })
})
