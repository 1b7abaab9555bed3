import { describe, expect, it } from 'vitest'
import { anyOf, Conditions, inChunks } from './conditions.js'

describe('conditions', () => {
  it('number their values, after those of a query around them', () => {
    const where = new Conditions(['before']).and('a = ? AND b < ?', 1, 2).and('c IS NULL')
    where.and(...anyOf('d', ['x', 'y']))
    expect(where.add(9)).toBe('$6')
    expect(where.text).toBe('a = $2 AND b < $3 AND c IS NULL AND d IN ($4, $5)')
    expect(where.parameters).toEqual(['before', 1, 2, 'x', 'y', 9])
  })

  it('leave the values of the query around them alone', () => {
    const before = ['before']
    new Conditions(before).and('a = ?', 1)
    expect(before).toEqual(['before'])
  })
})

describe('many values', () => {
  it.each([
    [0, []],
    [1, [1]],
    [500, [500]],
    [501, [500, 1]],
    [1200, [500, 500, 200]],
  ])('%i are asked about in chunks of %j, each once and in their order', async (count, sizes) => {
    const values = Array.from({ length: count }, (_, n) => n)
    const asked: number[] = []
    const found = await inChunks(values, async (chunk) => {
      asked.push(chunk.length)
      return chunk.map((value) => -value)
    })
    expect(asked).toEqual(sizes)
    expect(found).toEqual(values.map((value) => -value))
  })
})
