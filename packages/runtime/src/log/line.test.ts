import { describe, expect, it } from 'vitest'
import { jsonLine, textLine } from './line.js'

describe('a line of JSON', () => {
  it.each([
    { title: 'in the order of its pairs', key: 'b', value: 1, shown: '"b":1' },
    { title: 'with a key that is a number', key: '1', value: 'x', shown: '"1":"x"' },
    { title: 'with a key that is zero', key: '0', value: [true], shown: '"0":[true]' },
    { title: 'with a key that is nine', key: '9', value: { a: 1 }, shown: '"9":{"a":1}' },
    { title: 'with a key of objects', key: '__proto__', value: 'x', shown: '"__proto__":"x"' },
  ])('is written $title', ({ key, value, shown }) => {
    const line = jsonLine('T', [
      ['z', 'first'],
      [key, value],
      ['a', null],
    ])
    expect(line).toBe(`{"time":"T","z":"first",${shown},"a":null}`)
  })

  it.each([
    ['delete', '\u007f', '\\u007f'],
    ['the first C1 control', '\u0080', '\\u0080'],
    ['the last C1 control', '\u009f', '\\u009f'],
    ['a line separator', '\u2028', '\\u2028'],
    ['a paragraph separator', '\u2029', '\\u2029'],
    ['an invisible format character', '\u200b', '\\u200b'],
    ['one of two halves', '\u{e0001}', '\\udb40\\udc01'],
    ['two of them', '\u2028\u2028', '\\u2028\\u2028'],
    ['a letter, which stays', 'é', 'é'],
    ['a no-break space, which stays', '\u00a0', '\u00a0'],
  ])('escapes %s', (_, character, shown) => {
    expect(jsonLine('T', [['a', character]])).toBe(`{"time":"T","a":"${shown}"}`)
    expect(jsonLine('T', [['1', character]])).toBe(`{"time":"T","1":"${shown}"}`)
  })
})

describe('a line of text', () => {
  it.each([
    ['a word', 'wörd-1/2:3', 'wörd-1/2:3'],
    ['nothing', '', '""'],
    ['a space', 'a b', '"a b"'],
    ['a space at its end', 'a ', '"a "'],
    ['a no-break space', 'a\u00a0b', '"a\u00a0b"'],
    ['a quote', 'a"b', '"a\\"b"'],
    ['an equals sign', '=b', '"=b"'],
    ['a backslash', 'a\\', '"a\\\\"'],
    ['a line end', 'a\nb', '"a\\nb"'],
    ['a control', 'a\u0085b', '"a\\u0085b"'],
    ['a format character', 'a\u200bb', '"a\\u200bb"'],
    ['half a character', 'a\ud800b', '"a\\ud800b"'],
  ])('shows %s, as key and as value', (_, text, shown) => {
    expect(textLine('T', [[text, text]])).toBe(`T ${shown}=${shown}`)
  })

  it('shows what is no text as JSON', () => {
    const line = textLine('T', [
      ['number', 1.5],
      ['none', null],
      ['list', [1, 'a']],
      ['object', { a: false }],
    ])
    expect(line).toBe('T number=1.5 none=null list="[1,\\"a\\"]" object="{\\"a\\":false}"')
  })
})
