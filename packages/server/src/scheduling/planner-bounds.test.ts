import { expect, it } from 'vitest'
import { byCron, byInterval } from '../../testing/sample-endpoint.js'
import { intervalBand } from './planner-bounds.js'

const endless = Number.POSITIVE_INFINITY

it.each([
  ['an interval', byInterval(1000), null, null, [250, 12_000]],
  ['one that has no whole quarter', byInterval(1001), null, null, [251, 12_012]],
  ['an interval with both limits', byInterval(1000), 700, 900, [700, 900]],
  ['one with a lower limit', byInterval(1000), 10, null, [10, 12_000]],
  ['a lower limit beyond the band', byInterval(1000), 20_000, null, [20_000, 20_000]],
  ['one with an upper limit', byInterval(1000), null, 2000, [250, 2000]],
  ['an upper limit below the band', byInterval(1000), null, 100, [100, 100]],
  ['a schedule', byCron('* * * * *'), null, null, [0, endless]],
  ['a schedule with limits', byCron('* * * * *'), 5, 7, [5, 7]],
] as const)('planners move %s between its ends', (_name, { baseline }, min, max, [least, most]) => {
  const band = intervalBand({ baseline, minIntervalMs: min, maxIntervalMs: max })
  expect(band).toEqual({ minMs: least, maxMs: most })
})
