import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../testing/index.js'
import { createLog } from './index.js'

const time = '2026-03-01T02:32:20.007Z'

function lineOf(format: 'text' | 'json', event: string, fields: Record<string, unknown>): string {
  const lines: string[] = []
  createLog({
    format,
    level: 'info',
    component: 'test',
    clock: new VirtualClock(new Date(time)),
    write: (line) => void lines.push(line),
  }).info(event, fields)
  expect(lines).toHaveLength(1)
  return lines[0]!
}

/** Reads a text line as a stranger would: a time, then words and quoted words around `=`. */
function parseText(line: string): [string, string][] {
  const pairs: [string, string][] = [['time', line.split(' ', 1)[0]!]]
  const pair = / ("(?:[^"\\]|\\.)*"|[^\s"=\\]+)=("(?:[^"\\]|\\.)*"|[^\s"=\\]+)/uy
  pair.lastIndex = pairs[0]![1].length
  while (pair.lastIndex < line.length) {
    const match = pair.exec(line)
    expect(match, `unreadable rest of ${line}`).not.toBeNull()
    pairs.push([unquoted(match![1]!), unquoted(match![2]!)])
  }
  return pairs
}

const unquoted = (word: string): string => (word.startsWith('"') ? JSON.parse(word) : word)

const reserved = new Set(['time', 'level', 'component', 'event'])
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(' ', '"', '=', '\\', '\n', '\u2028', '\ud800', '\udc00', 'a'),
  }),
)
const scalar = fc.oneof(anyText, fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
const anyKey = anyText.filter((key) => !reserved.has(key))
const fieldsOf = (value: fc.Arbitrary<unknown>) => fc.dictionary(anyKey, value)

/**
 * For lines that are parsed as JSON: once an object has had the key `\\`, JSON.parse of Node 24 reads
 * the key `"\\u2028"` as that one, since it compares the text of the two before it unescapes.
 */
const parsableFieldsOf = (value: fc.Arbitrary<unknown>) =>
  fc.dictionary(
    anyKey.filter((key) => !key.includes('\\')),
    value,
  )

const isFiniteOrText = (value: unknown) => typeof value !== 'number' || Number.isFinite(value)
const plain = (value: unknown) => (isFiniteOrText(value) ? value : String(value))

describe('lines', () => {
  it('of text give their keys and values back in order', () => {
    fc.assert(
      fc.property(anyText, fieldsOf(scalar), (event, fields) => {
        const expected = Object.entries(fields).map(([key, value]) => [
          key,
          typeof value === 'string' ? value : String(plain(value) === 0 ? 0 : plain(value)),
        ])
        expect(parseText(lineOf('text', event, fields))).toEqual([
          ['time', time],
          ['level', 'info'],
          ['component', 'test'],
          ['event', event],
          ...expected,
        ])
      }),
      { numRuns: 2000 },
    )
  })

  it('of JSON parse to the same keys and values in order', () => {
    fc.assert(
      fc.property(anyText, parsableFieldsOf(fc.jsonValue()), (event, fields) => {
        const parsed = JSON.parse(lineOf('json', event, fields))
        const head = { time, level: 'info', component: 'test', event }
        const expected = { ...head, ...JSON.parse(JSON.stringify(fields)) }
        expect(Object.entries(parsed)).toEqual(Object.entries(expected))
      }),
      { numRuns: 2000 },
    )
  })

  it('of both forms have the same keys, whatever the values are', () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true })
    fc.assert(
      fc.property(parsableFieldsOf(anything), (fields) => {
        const fromText = parseText(lineOf('text', 'e', fields)).map(([key]) => key)
        expect(fromText.sort()).toEqual(Object.keys(JSON.parse(lineOf('json', 'e', fields))).sort())
      }),
      { numRuns: 1000 },
    )
  })

  it.each(['text', 'json'] as const)('of %s are printable and single', (format) => {
    const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
    fc.assert(
      fc.property(anyText, fieldsOf(fc.oneof(anyText, fc.array(anyText))), (event, fields) => {
        expect(lineOf(format, event, fields)).not.toMatch(unprintable)
      }),
      { numRuns: 1000 },
    )
  })
})
