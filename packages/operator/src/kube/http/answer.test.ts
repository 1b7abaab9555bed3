import { describe, expect, it } from 'vitest'
import { warningsOf } from './answer.js'

describe('warnings of an API server', () => {
  it.each<[string, string | string[] | undefined, string[]]>([
    ['none', undefined, []],
    ['one', '299 - "a is deprecated"', ['a is deprecated']],
    ['several in a line', '299 - "a", 299 - "b"', ['a', 'b']],
    ['several lines', ['299 - "a"', '299 - "b"'], ['a', 'b']],
    ['quotes', '299 - "use \\"b\\" instead"', ['use "b" instead']],
    ['another kind', '110 - "stale"', []],
    ['nonsense', 'hello', []],
  ])('are read: %s', (_, header, texts) => {
    expect(warningsOf(header)).toEqual(texts)
  })
})
