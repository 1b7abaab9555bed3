import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LineLimits, LineSplitter } from './line-splitter.js'

const bytes = (text: string): Buffer => Buffer.from(text)

function split(chunks: readonly Uint8Array[], limits: Partial<LineLimits> = {}) {
  const splitter = new LineSplitter({ maxBytes: 1000, overlong: 'refuse', ...limits })
  const lines = chunks.flatMap((chunk) => [...splitter.split(chunk)])
  return { lines, rest: splitter.end() }
}

function cutAt(whole: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length]
  places.sort((a, b) => a - b)
  return places.slice(1).map((end, index) => whole.subarray(places[index], end))
}

const single = (whole: Buffer): Buffer[] => [...whole].map((byte) => Buffer.of(byte))

describe('the lines of a stream', () => {
  it.each([
    ['', [], ''],
    ['one\n', ['one'], ''],
    ['one', [], 'one'],
    ['one\n\ntwo\n', ['one', '', 'two'], ''],
    ['\n', [''], ''],
    ['tab\tand \u0000 zero\r\n', ['tab\tand \u0000 zero\r'], ''],
    ['\ufeffmark\n', ['\ufeffmark'], ''],
  ])('of %j are %j and %j', (text, lines, rest) => {
    expect(split([bytes(text)])).toEqual({ lines, rest })
  })

  it('are the same however the stream is cut, characters included', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '漢', '😀', '\r', ' ') })
    fc.assert(
      fc.property(text, fc.array(fc.nat()), fc.boolean(), (whole, cuts, dropsCarriageReturn) => {
        const lines = whole.split('\n')
        const rest = lines.pop()!
        const expected = dropsCarriageReturn ? lines.map((line) => line.replace(/\r$/, '')) : lines
        const found = split(cutAt(bytes(whole), cuts), { dropsCarriageReturn })
        expect(found).toEqual({ lines: expected, rest })
      }),
      { numRuns: 500, seed: 8 },
    )
  })

  it('do not change with the memory that a chunk was read into', () => {
    const memory = bytes('be')
    const splitter = new LineSplitter({ maxBytes: 10, overlong: 'refuse' })
    const lines = [...splitter.split(memory)]
    memory.write('g\n')
    lines.push(...splitter.split(memory))
    expect(lines).toEqual(['beg'])
  })

  it('show what is not UTF-8 as replaced, and lose nothing else', () => {
    const found = split([Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xc3])])
    expect(found).toEqual({ lines: ['a\ufffdb'], rest: '\ufffd' })
  })

  it('are forgotten once they were asked for', () => {
    const splitter = new LineSplitter({ maxBytes: 10, overlong: 'refuse' })
    expect([...splitter.split(bytes('one'))]).toEqual([])
    expect([splitter.end(), splitter.end()]).toEqual(['one', ''])
  })
})

describe('a line that is too long', () => {
  const longest = bytes(`before\n${'x'.repeat(10)}\n`)
  const longer = bytes(`before\n${'x'.repeat(11)}\nafter\n`)

  it('is refused after those before it, in one piece or many', () => {
    const limits = { maxBytes: 10, overlong: 'refuse' } as const
    expect(split([longest], limits).lines).toHaveLength(2)
    expect(split(single(longest), limits).lines).toHaveLength(2)
    const lines = new LineSplitter(limits).split(longer)
    expect(lines.next().value).toBe('before')
    expect(() => lines.next()).toThrow(RangeError)
    expect(() => split(single(longer), limits)).toThrow('a line has more than 10 bytes')
  })

  it('keeps its beginning where it is shortened, and no more of it in memory', () => {
    const limits = { maxBytes: 10, overlong: 'shorten' } as const
    for (const chunks of [[longer], single(longer)]) {
      expect(split(chunks, limits).lines).toEqual(['before', 'x'.repeat(10), 'after'])
    }
    const piece = Buffer.alloc(1024, 'x')
    const { lines, rest } = split(
      Array.from({ length: 12 }, () => piece),
      { maxBytes: 4096, overlong: 'shorten' },
    )
    expect([lines, rest.length]).toEqual([[], 4096])
  })

  it.each(['x', 'é', '漢', '😀'])('is cut between characters such as %s', (character) => {
    const maxBytes = 100
    for (const lead of ['', 'a', 'ab', 'abc']) {
      const whole = bytes(`${lead}${character.repeat(300)}\n`)
      for (const chunks of [[whole], single(whole)]) {
        const { lines } = split(chunks, { maxBytes, overlong: 'cut' })
        expect(`${lines.join('')}\n`).toBe(whole.toString())
        for (const line of lines) expect(bytes(line).length).toBeLessThanOrEqual(maxBytes)
        for (const line of lines.slice(0, -1)) {
          expect(bytes(line).length).toBeGreaterThan(maxBytes - 4)
        }
      }
    }
  })

  it('is cut only beyond the limit, and anywhere where no character begins', () => {
    const limits = { maxBytes: 10, overlong: 'cut' } as const
    expect(split([longest], limits)).toEqual({ lines: ['before', 'x'.repeat(10)], rest: '' })
    const garbage = split([Buffer.alloc(25, 0x80)], limits)
    const replaced = (count: number): string => '\ufffd'.repeat(count)
    expect(garbage).toEqual({ lines: [replaced(10), replaced(10)], rest: replaced(5) })
  })

  it('loses nothing when it is cut, whatever the limit and the chunks', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀'), minLength: 1 })
    fc.assert(
      fc.property(text, fc.array(fc.nat()), fc.integer({ min: 4, max: 40 }), (line, cuts, max) => {
        const { lines, rest } = split(cutAt(bytes(line), cuts), { maxBytes: max, overlong: 'cut' })
        expect(lines.join('') + rest).toBe(line)
      }),
      { numRuns: 300, seed: 18 },
    )
  })
})
