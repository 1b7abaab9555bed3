import { describe, expect, it } from 'vitest'
import { clockChanges } from './clock-changes.js'

const day = 86_400
const at = 10 * day + 12_345
const offsetAt = (seconds: number): number => (seconds < at ? 0 : 3600)

describe('the changes of a clock', () => {
  it('are found to the second', () => {
    expect(clockChanges(offsetAt, 0, 20 * day)).toEqual([{ at, offset: 3600 }])
  })

  it.each([
    ['one that is the last second', at, 1],
    ['none that is a second later', at - 1, 0],
    ['none that is later on the same day', 10 * day + 1, 0],
  ])('up to an end have %s', (_, to, count) => {
    expect(clockChanges(offsetAt, 0, to)).toHaveLength(count)
  })

  it('after a beginning have none that was before it', () => {
    expect(clockChanges(offsetAt, at, 20 * day)).toEqual([])
    expect(clockChanges(offsetAt, at - 1, 20 * day)).toEqual([{ at, offset: 3600 }])
  })
})
