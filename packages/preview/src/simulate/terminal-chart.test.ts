import { utc, zone } from '@kron/core'
import { displayWidth } from '@kron/runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { axisLines, type ChartFrame, chartLines, chartRows, columnSpan } from './terminal-chart.js'
import { axisOf, bucketsPerColumn, tickText } from './time-axis.js'

const minute = 60_000
const midnight = Date.UTC(2026, 2, 1)
const frame: ChartFrame = {
  from: midnight,
  bucketMs: minute,
  buckets: 1440,
  top: 8,
  width: 80,
  zone: utc,
}
const same = (text: string): string => text

describe('a chart', () => {
  it('is as high as its busiest bucket says', () => {
    const counts = new Uint32Array(1440)
    counts[0] = 8
    counts[20] = 4
    counts[45] = 1
    const lines = chartLines(frame, counts, same)
    expect(lines).toEqual(['8 ┤█', '  │█', '  │█', '  │██', '  │██', '  │██▆'])
  })

  it('shows the least that starts at all', () => {
    const counts = new Uint32Array(1440)
    counts[0] = 1
    const lines = chartLines({ ...frame, top: 10_000 }, counts, same)
    expect(lines.at(-1)).toBe('       │▁')
    expect(lines[0]).toBe('10,000 ┤')
  })

  it('has times under its axis', () => {
    expect(axisLines(frame)).toEqual([
      '0 ┼┬────────┬────────┬────────┬────────┬────────┬────────┬────────┬────────',
      '   00:00    03:00    06:00    09:00    12:00    15:00    18:00    21:00',
    ])
    const paris = axisLines({ ...frame, zone: zone('Europe/Paris') })
    expect(paris[1]).toContain('03:00')
    expect(paris[1]!.indexOf('03:00')).toBeLessThan(axisLines(frame)[1]!.indexOf('03:00'))
  })

  it('names days when it is long', () => {
    expect(axisLines({ ...frame, buckets: 14 * 1440 })[1]).toMatch(/03-02 +03-04 +03-06/)
  })

  it('fits any terminal', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 300 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.constantFrom(1000, minute, 7 * minute, 3_600_000),
        fc.integer({ min: 1, max: 100_000 }),
        (width, buckets, bucketMs, top) => {
          const any = { ...frame, width, buckets, bucketMs, top }
          const counts = new Uint32Array(buckets).fill(top)
          const lines = chartLines(any, counts, same)
          expect(lines).toHaveLength(chartRows)
          for (const line of [...lines, ...axisLines(any)]) {
            expect(displayWidth(line)).toBeLessThanOrEqual(
              Math.max(width, 10 + String(top).length + 4),
            )
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('takes columns of a span that people know', () => {
    expect(columnSpan(frame)).toBe(20)
    expect(columnSpan({ ...frame, width: 200 })).toBe(10)
    expect(columnSpan({ ...frame, buckets: 60 })).toBe(1)
    expect(bucketsPerColumn(1000, 7 * minute, 70)).toBe(15)
  })
})

describe('a time axis', () => {
  it('has its marks on full wall times, also where the zone is half an hour off', () => {
    const kolkata = zone('Asia/Kolkata')
    const axis = axisOf(midnight, 30 * minute, 48, 8, kolkata)
    expect(axis.ticks.map((tick) => tickText(tick, axis, kolkata))).toEqual([
      '08:00',
      '12:00',
      '16:00',
      '20:00',
      '00:00',
      '04:00',
    ])
  })

  it('keeps its distance where the clock goes back', () => {
    const paris = zone('Europe/Paris')
    const axis = axisOf(Date.UTC(2026, 9, 24, 22), 10 * minute, 90, 8, paris)
    const columns = axis.ticks.map(({ column }) => column)
    expect(axis.spacing).toBe(2 * 60 * minute)
    for (const [index, column] of columns.slice(1).entries()) {
      expect(column - columns[index]!).toBeGreaterThanOrEqual(8)
    }
  })
})
