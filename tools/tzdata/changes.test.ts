import { describe, expect, it } from 'vitest'
import { type ZoneHistory, zoneChanges } from './changes.ts'

const history = (...pairs: [number, number][]): ZoneHistory => ({
  starts: pairs.map(([start]) => start),
  offsets: pairs.map(([, offset]) => offset),
})
const first = Number.NEGATIVE_INFINITY

describe('what a release of the time zone database changes', () => {
  it.each([
    ['nothing', history([first, 0], [10, 3600]), history([first, 0], [10, 3600]), null],
    ['a rule dropped', history([first, 0], [10, 60], [20, 0]), history([first, 0], [10, 60]), 20],
    ['a rule added', history([first, 0]), history([first, 0], [10, 60]), 10],
    ['a moved change', history([first, 0], [10, 60]), history([first, 0], [12, 60]), 10],
    ['another offset', history([first, 0], [10, 60]), history([first, 0], [10, 90]), 10],
    ['the beginning', history([first, 0]), history([first, 1]), first],
  ])('finds %s', (_, before, after, from) => {
    const changes = zoneChanges(new Map([['A/B', before]]), new Map([['A/B', after]]))
    expect(changes).toEqual(from === null ? [] : [{ name: 'A/B', kind: 'changed', from }])
  })

  it('finds zones that came and went', () => {
    const zone = history([first, 0])
    expect(zoneChanges(new Map([['Old', zone]]), new Map([['New', zone]]))).toEqual([
      { name: 'New', kind: 'added' },
      { name: 'Old', kind: 'removed' },
    ])
  })
})
