import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSplitter } from './line-splitter.js'

function linesOf(chunks: readonly Buffer[], maxBytes = 1000): string[] {
  const splitter = new LineSplitter(maxBytes)
  return chunks.flatMap((chunk) => [...splitter.split(chunk)])
}

describe('a line splitter', () => {
  it('gives the same lines however the bytes are cut, characters included', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/\n/.test(text))
    const cuts = fc.array(fc.nat(200), { maxLength: 20 })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), cuts, (lines, places) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
        const ends = [...places, bytes.length].sort((a, b) => a - b)
        const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
        expect(linesOf(chunks)).toEqual(lines)
      }),
    )
  })

  it('keeps back a line without an end', () => {
    expect(linesOf([Buffer.from('whole\nto'), Buffer.from('rn')])).toEqual(['whole'])
  })

  it('takes a line of the greatest length and none longer, in one piece or many', () => {
    const longest = Buffer.from(`${'x'.repeat(10)}\n`)
    const longer = Buffer.from(`${'x'.repeat(11)}\n`)
    const single = (bytes: Buffer) => [...bytes].map((byte) => Buffer.from([byte]))
    expect(linesOf([longest], 10)).toHaveLength(1)
    expect(linesOf(single(longest), 10)).toHaveLength(1)
    expect(() => linesOf([longer], 10)).toThrow(RangeError)
    expect(() => linesOf(single(longer), 10)).toThrow('a line has more than 10 bytes')
  })
})
