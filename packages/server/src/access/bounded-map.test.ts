import { describe, expect, it } from 'vitest'
import { BoundedMap } from './bounded-map.js'

/** Holds as many as are named, set in this order. */
function mapOf(...names: string[]): BoundedMap<string, string> {
  const map = new BoundedMap<string, string>(names.length)
  for (const name of names) map.set(name, `value of ${name}`)
  return map
}

const kept = (map: BoundedMap<string, string>, ...names: string[]): string[] =>
  names.filter((name) => map.get(name) !== undefined)

describe('a bounded map', () => {
  it('keeps as many as it may', () => {
    const map = mapOf('a', 'b', 'c')
    expect(kept(map, 'a', 'b', 'c')).toEqual(['a', 'b', 'c'])
    expect(map.get('b')).toBe('value of b')
    expect(map.size).toBe(3)
  })

  it('forgets the one that was set longest ago for one more', () => {
    const map = mapOf('a', 'b', 'c')
    map.set('d', 'value of d')
    expect(kept(map, 'a', 'b', 'c', 'd')).toEqual(['b', 'c', 'd'])
    expect(map.size).toBe(3)
  })

  it('takes one that is set again for the newest', () => {
    const map = mapOf('a', 'b', 'c')
    map.set('a', 'again')
    map.set('d', 'value of d')
    expect(kept(map, 'a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd'])
    expect(map.get('a')).toBe('again')
  })

  it('forgets what it is told to', () => {
    const map = mapOf('a', 'b', 'c', 'd')
    map.delete('a')
    expect(kept(map, 'a', 'b', 'c', 'd')).toEqual(['b', 'c', 'd'])
    map.deleteWhere((value) => value !== 'value of c')
    expect(kept(map, 'a', 'b', 'c', 'd')).toEqual(['c'])
  })
})
