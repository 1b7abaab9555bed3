import { describe, expect, it } from 'vitest'
import {
  type DistributionInput,
  resolveDistribution,
  type WindowMode,
} from '../definition/index.js'
import { type Distribution, distributionOf } from './distribution.js'

const hour = 3_600_000

function law(input: DistributionInput, mode: WindowMode = 'after'): Distribution {
  return distributionOf(resolveDistribution(input), { mode, duration: hour })
}

const normal = (params: Record<string, string>, mode?: WindowMode) =>
  law({ name: 'normal', params }, mode)

const all: [string, Distribution][] = [
  ['uniform', law('uniform')],
  ['skewEarly', law('skewEarly')],
  ['skewEarly of shape 0.4', law({ name: 'skewEarly', params: { shape: 0.4 } })],
  ['skewLate', law('skewLate')],
  ['skewLate of shape 3.3', law({ name: 'skewLate', params: { shape: 3.3 } })],
  ['exponential', law('exponential')],
  ['exponential of lambda 9', law({ name: 'exponential', params: { lambda: 9 } })],
  ['exponential late', law({ name: 'exponential', params: { lambda: 2, dir: 'late' } })],
  ['normal', law('normal')],
  ['normal from the start', normal({ mu: 'start', sigma: '9m' })],
  ['normal to the end', normal({ mu: 'end', sigma: '20m' })],
]

describe.each(all)('%s', (_, { quantile, cumulative }) => {
  const grid = Array.from({ length: 401 }, (_, i) => i / 401)

  it('stays in the window and rises with the number drawn', () => {
    let before = -1e-12
    for (const u of grid) {
      const x = quantile(u)
      expect(x).toBeGreaterThanOrEqual(before)
      expect(x).toBeLessThan(1 + 1e-12)
      before = x
    }
  })

  it('has a distribution function that is its inverse', () => {
    for (const u of grid) expect(cumulative(quantile(u))).toBeCloseTo(u, 10)
    expect(cumulative(0)).toBeCloseTo(0, 12)
    expect(cumulative(1)).toBeCloseTo(1, 12)
  })
})

describe('the median', () => {
  it.each<[string, Distribution, number]>([
    ['of uniform', law('uniform'), 0.5],
    ['of skewEarly, shape 2 by default', law('skewEarly'), 0.25],
    ['of skewEarly, shape 3', law({ name: 'skewEarly', params: { shape: 3 } }), 0.125],
    ['of skewLate, shape 2 by default', law('skewLate'), 0.75],
    ['of skewLate, shape 3', law({ name: 'skewLate', params: { shape: 3 } }), 0.875],
    ['of exponential, lambda 1 by default', law('exponential'), 0.379885493041722],
    [
      'of exponential, lambda 1, late',
      law({ name: 'exponential', params: { dir: 'late' } }),
      0.620114506958278,
    ],
    [
      'of exponential, lambda 1, early',
      law({ name: 'exponential', params: { dir: 'early' } }),
      0.379885493041722,
    ],
    [
      'of exponential, lambda 5',
      law({ name: 'exponential', params: { lambda: 5 } }),
      0.137286366414165,
    ],
  ])('%s', (_, { quantile }, median) => {
    expect(quantile(0.5)).toBeCloseTo(median, 14)
  })

  it.each<[string, Record<string, string>, WindowMode, number]>([
    ['nominal by default around', {}, 'around', 0.5],
    ['the middle by default after', {}, 'after', 0.5],
    ['the middle by default before', {}, 'before', 0.5],
    ['nominal after: the start', { mu: 'nominal' }, 'after', 0],
    ['nominal around: the middle', { mu: 'nominal' }, 'around', 0.5],
    ['nominal before: the end', { mu: 'nominal' }, 'before', 1],
    ['the start', { mu: 'start' }, 'around', 0],
    ['the middle', { mu: 'mid' }, 'before', 0.5],
    ['the end', { mu: 'end' }, 'after', 1],
  ])('of normal has its centre at %s', (_, params, mode, centre) => {
    const { quantile } = normal({ sigma: '1m', ...params }, mode)
    // Half of the law is cut off where the centre is an end: its median is 0.6745 sigma away.
    const shift = centre === 0.5 ? 0 : (1 - 2 * centre) * (0.67448975019608 / 60)
    expect(quantile(0.5)).toBeCloseTo(centre + shift, 12)
  })

  it('of normal has a sigma of a sixth of the window by default', () => {
    const { quantile } = law('normal')
    const explicit = normal({ sigma: '10m' })
    for (const u of [0.01, 0.3, 0.9]) expect(quantile(u)).toBe(explicit.quantile(u))
    expect(normal({ sigma: '5m' }).quantile(0.9)).toBeLessThan(quantile(0.9))
    // Phi(z) = Phi(-3) + 0.9 (Phi(3) - Phi(-3)), z = 1.27542...
    expect(quantile(0.9)).toBeCloseTo(0.5 + 1.275422223467578 / 6, 8)
  })
})

describe('the far ends of normal', () => {
  const least = 2 ** -53

  it('keep their digits above the centre', () => {
    const { quantile } = normal({ mu: 'start', sigma: '1s' })
    expect(quantile(1 - least) * 3600).toBeCloseTo(8.2923610758136, 6)
    expect(quantile(1 - 3 * least) * 3600).toBeCloseTo(8.1607078408586, 5)
  })

  it('keep their digits below the centre', () => {
    const { quantile } = normal({ mu: 'end', sigma: '1s' })
    expect((1 - quantile(least)) * 3600).toBeCloseTo(8.2923610758136, 6)
    expect((1 - quantile(3 * least)) * 3600).toBeCloseTo(8.1607078408586, 5)
  })
})
