import { describe, expect, it } from 'vitest'
import { pointerNames, valueAt } from './json-pointer.js'

/** The document and the pointers of RFC 6901, section 5. */
const document: unknown = JSON.parse(`{
  "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5, "k\\"l": 6,
  " ": 7, "m~n": 8
}`)

describe('a JSON pointer', () => {
  it.each([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('%j names a value', (text, value) => {
    expect(valueAt(document, pointerNames(text)!)).toEqual(value)
  })

  it.each([
    '/nothing',
    '/foo/2',
    '/foo/-',
    '/foo/01',
    '/foo/length',
    '/foo/0/length',
    '/__proto__',
    '/constructor',
  ])('%s names nothing', (text) => {
    expect(valueAt(document, pointerNames(text)!)).toBeUndefined()
  })

  it.each(['foo', '#/foo', '/a~2', '/a~', `/${'a'.repeat(200)}`, '/a'.repeat(17)])(
    'is not %s',
    (text) => {
      expect(pointerNames(text)).toBeNull()
    },
  )

  it('finds no names in what has none', () => {
    for (const value of [null, undefined, 3, 'text', true]) {
      expect(valueAt(value, ['length'])).toBeUndefined()
    }
  })
})
