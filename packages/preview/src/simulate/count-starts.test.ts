import { compileJob, type Job, type JobDefinition } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { countStarts } from './count-starts.js'
import { busiest, peaksOf, seriesOf } from './series.js'

const minute = 60_000
const midnight = Date.UTC(2026, 2, 1)

const jobs = (count: number, definition: Omit<JobDefinition, 'identity'>): Job[] =>
  Array.from({ length: count }, (_, i) => compileJob({ ...definition, identity: `job-${i}` }))

const count = (list: readonly Job[], from = midnight, buckets = 1440, bucketMs = minute) =>
  countStarts({ jobs: list, from, buckets, bucketMs })!

describe('the starts of jobs', () => {
  it('all fall on one minute without windows, and are spread with them', () => {
    const counts = count(jobs(50, { schedule: '0 2 * * *', window: { duration: '2h' } }))
    const before = seriesOf(counts.withoutWindows)
    const after = seriesOf(counts.withWindows)
    expect(before).toMatchObject({ total: 50, peak: 50, peakAt: 120 })
    expect(after.total).toBe(50)
    expect(after.peak).toBeLessThan(6)
    expect(after.counts.subarray(0, 120).every((value) => value === 0)).toBe(true)
    expect(after.counts.subarray(241).every((value) => value === 0)).toBe(true)
  })

  it('are those that decisions say', () => {
    const list = jobs(20, { schedule: '*/10 * * * *', window: { mode: 'around', duration: '10m' } })
    const expected = new Uint32Array(1440)
    for (const job of list) {
      let nominal = job.nextPeriod(midnight - 86_400_000)
      while (nominal !== null && nominal < midnight + 2 * 86_400_000) {
        const chosen = job.decide(nominal).chosenTime!
        const bucket = Math.floor((chosen - midnight) / minute)
        if (bucket >= 0 && bucket < 1440) expected[bucket]!++
        nominal = job.nextPeriod(nominal)
      }
    }
    expect(count(list).withWindows).toEqual(expected)
  })

  it.each(['after', 'around', 'before'] as const)(
    'include periods of the window %s whose nominal time is outside',
    (mode) => {
      const list = jobs(30, { schedule: '0 * * * *', window: { mode, duration: '1h' } })
      const day = count(list, midnight - 86_400_000, 3 * 1440).withWindows
      const from = midnight + 30 * minute
      const hour = count(list, from, 60).withWindows
      expect(hour).toEqual(day.slice(1440 + 30, 1440 + 90))
      expect(seriesOf(hour).total).toBeGreaterThan(10)
    },
  )

  it('leave out what is unschedulable and count it', () => {
    const list = jobs(4, {
      schedule: '0 * * * *',
      constraints: { avoid: ['hours=0-5'] },
    })
    const counts = count(list)
    expect(counts.unschedulable).toBe(4 * 6)
    expect(seriesOf(counts.withWindows).total).toBe(4 * 18)
    expect(seriesOf(counts.withoutWindows).total).toBe(4 * 24)
  })

  it('leave out periods that a clock change lets be superseded', () => {
    const list = jobs(200, {
      schedule: '30 2 * * *',
      timezone: 'Europe/Paris',
      window: { mode: 'around', duration: '2h' },
    })
    const counts = count(list, Date.UTC(2026, 9, 24, 20), 12 * 60)
    expect(seriesOf(counts.withoutWindows).total).toBe(400)
    const started = seriesOf(counts.withWindows).total
    expect(started).toBeGreaterThan(250)
    expect(started).toBeLessThan(350)
  })

  it('are refused beyond the limit, before anything is decided', () => {
    const list = jobs(200, { schedule: '* * * * *', window: { duration: '1m' } })
    let decided = 0
    const result = countStarts({
      jobs: list,
      from: midnight,
      buckets: 100_000,
      bucketMs: minute * 5,
      onProgress: () => decided++,
    })
    expect(result).toBeNull()
    expect(decided).toBe(0)
  })

  it('tell how many jobs are done', () => {
    const seen: number[] = []
    const list = jobs(3, { schedule: '@daily' })
    countStarts({
      jobs: list,
      from: midnight,
      buckets: 1,
      bucketMs: minute,
      onProgress: (n) => seen.push(n),
    })
    expect(seen).toEqual([1, 2, 3])
  })
})

describe('a row of counts', () => {
  const counts = Uint32Array.of(0, 5, 2, 5, 0, 9)

  it('has its peak, mean and total', () => {
    expect(seriesOf(counts)).toMatchObject({ total: 21, mean: 3.5, peak: 9, peakAt: 5 })
    expect(seriesOf(new Uint32Array(3))).toMatchObject({ total: 0, mean: 0, peak: 0, peakAt: 0 })
  })

  it('has its busiest buckets, earliest first among equals, none of them empty', () => {
    expect(busiest(seriesOf(counts), 3)).toEqual([
      { index: 5, count: 9 },
      { index: 1, count: 5 },
      { index: 3, count: 5 },
    ])
    expect(busiest(seriesOf(counts), 10)).toHaveLength(4)
  })

  it('is aggregated to the peaks of its columns', () => {
    expect(peaksOf(counts, 2)).toEqual([5, 5, 9])
    expect(peaksOf(counts, 4)).toEqual([5, 9])
  })
})
