import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longestLineBytes, StreamLines } from './stream-lines.js'

function linesOf(chunks: readonly Uint8Array[]): string[] {
  const lines: string[] = []
  const splitter = new StreamLines((line) => lines.push(line))
  for (const chunk of chunks) splitter.push(Buffer.from(chunk))
  splitter.end()
  splitter.end()
  return lines
}

const bytes = (text: string): Buffer => Buffer.from(text)

function cutAt(text: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length]
  places.sort((a, b) => a - b)
  return places.slice(1).map((end, index) => text.subarray(places[index], end))
}

describe('the lines of a stream', () => {
  it.each([
    ['', []],
    ['one\n', ['one']],
    ['one', ['one']],
    ['one\n\ntwo\n', ['one', '', 'two']],
    ['\n', ['']],
    ['windows\r\nmore\r', ['windows', 'more\r']],
    ['tab\tand \u0000 zero\n', ['tab\tand \u0000 zero']],
  ])('of %j are %j', (text, lines) => {
    expect(linesOf([bytes(text)])).toEqual(lines)
  })

  it('are the same however the stream is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '漢', '😀', '\r', ' ') })
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (whole, cuts) => {
        const expected = whole.split('\n').map((line) => line.replace(/\r$/, ''))
        const last = whole.split('\n').at(-1)!
        expected.pop()
        if (last !== '') expected.push(last)
        expect(linesOf(cutAt(bytes(whole), cuts))).toEqual(expected)
      }),
      { numRuns: 500, seed: 8 },
    )
  })

  it.each(['x', 'é', '漢', '😀'])(
    'are cut between characters such as %s when too long',
    (character) => {
      for (const lead of ['', 'a', 'ab', 'abc']) {
        const whole = lead + character.repeat(10_000)
        const pieces = linesOf([bytes(`${whole}\n`)])
        expect(pieces.join('')).toBe(whole)
        for (const piece of pieces)
          expect(bytes(piece).length).toBeLessThanOrEqual(longestLineBytes)
        for (const piece of pieces.slice(0, -1)) {
          expect(bytes(piece).length).toBeGreaterThan(longestLineBytes - 4)
        }
      }
    },
  )

  it('are whole at exactly the longest length', () => {
    const longest = 'x'.repeat(longestLineBytes)
    expect(linesOf([bytes(`${longest}\n${longest}y\n`)])).toEqual([longest, longest, 'y'])
  })

  it('show what is not UTF-8 as replaced, and lose nothing else', () => {
    expect(linesOf([Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xc3])])).toEqual(['a\ufffdb', '\ufffd'])
    const garbage = Buffer.alloc(20_000, 0x80)
    const pieces = linesOf([garbage])
    expect(pieces.join('')).toBe('\ufffd'.repeat(20_000))
    expect(pieces).toHaveLength(3)
  })
})
