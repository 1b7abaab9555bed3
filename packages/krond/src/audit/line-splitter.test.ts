import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSplitter } from './line-splitter.js'

function split(pieces: readonly Uint8Array[]): { lines: string[]; rest: string } {
  const lines: string[] = []
  const splitter = new LineSplitter((line) => lines.push(line))
  for (const piece of pieces) splitter.push(piece)
  return { lines, rest: splitter.end() }
}

describe('lines from pieces', () => {
  it('are the same wherever the pieces are cut, even within a character', () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .map((text) => text.replaceAll('\n', ''))
    const cuts = fc.array(fc.nat(200), { maxLength: 10 })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), line, cuts, (lines, rest, at) => {
        const bytes = Buffer.from([...lines, rest].join('\n'))
        const edges = [
          0,
          ...at.filter((cut) => cut < bytes.length).sort((a, b) => a - b),
          bytes.length,
        ]
        const pieces = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
        expect(split(pieces)).toEqual({ lines, rest })
      }),
      { numRuns: 300, seed: 11 },
    )
  })

  it('do not fill the memory when there is no end to one', () => {
    const piece = new Uint8Array(1024 * 1024).fill(120)
    const { lines, rest } = split(Array.from({ length: 12 }, () => piece))
    expect(lines).toEqual([])
    expect(rest).toHaveLength(4 * 1024 * 1024)
  })
})
