import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayWidth } from './display-width.js'
import { excerpt } from './excerpt.js'
import { coloured, plain } from './style.js'

const linesOf = (source: string, column: number, length: number, width = 80): string[] =>
  excerpt({ source, column, length }, width, plain, 'error')

describe('an excerpt', () => {
  it('marks the exact characters', () => {
    expect(linesOf('0 99 * * *', 3, 2)).toEqual(['0 99 * * *', '  ^~'])
  })

  it('marks the place behind the end', () => {
    expect(linesOf('0 3 * * *', 10, 1)).toEqual(['0 3 * * *', '         ^'])
  })

  it('keeps tabs, so that marks stand under what they mark', () => {
    expect(linesOf('\t0\tx', 4, 1)).toEqual(['\t0\tx', '\t \t^'])
  })

  it('takes wide characters for two cells', () => {
    expect(linesOf('日本 x', 4, 1)).toEqual(['日本 x', '     ^'])
    expect(linesOf('a 日本', 3, 2)).toEqual(['a 日本', '  ^~~~'])
  })

  it('never passes control characters on to the terminal', () => {
    const [line] = linesOf('a\u001b[31mb\u0007\u009b', 1, 1)
    expect(line).toBe('a\ufffd[31mb\ufffd\ufffd')
  })

  it('cuts a long line around the mark', () => {
    const source = `${'a'.repeat(200)}XYZ${'b'.repeat(200)}`
    const [line, marks] = linesOf(source, 201, 3, 40)
    expect(line).toMatch(/^…a+XYZb+…$/)
    expect(displayWidth(line!)).toBeLessThanOrEqual(40)
    expect(marks!.indexOf('^')).toBe(line!.indexOf('X'))
    expect(marks).toMatch(/^ +\^~~$/)
  })

  it('shows the start of a mark that is too long itself', () => {
    const [line, marks] = linesOf('x'.repeat(500), 1, 500, 40)
    expect(displayWidth(line!)).toBeLessThanOrEqual(40)
    expect(line).toMatch(/^x+…$/)
    expect(marks!.length).toBe(line!.length - 1)
  })

  it('paints only the marks', () => {
    const lines = excerpt({ source: 'ab', column: 2, length: 1 }, 80, coloured, 'warning')
    expect(lines).toEqual(['ab', ' \u001b[1;33m^\u001b[0m'])
  })

  it('of any line fits, and the mark stands under the first marked character', () => {
    const printable = fc.string({ unit: fc.constantFrom('a', 'b', '日', 'é', ' '), maxLength: 300 })
    fc.assert(
      fc.property(printable, fc.nat(), fc.integer({ min: 1, max: 50 }), (text, at, length) => {
        const source = `${text}|`
        const column = (at % source.length) + 1
        const [line, marks] = linesOf(source, column, length, 60)
        expect(displayWidth(line!)).toBeLessThanOrEqual(60)
        const cells = Array.from(line!).flatMap((c) => [c, ...Array(displayWidth(c) - 1).fill('')])
        const marked = source[column - 1]
        expect(cells[marks!.indexOf('^')] ?? ' ').toBe(marked)
      }),
      { numRuns: 500 },
    )
  })
})
