import { describe, expect, it } from 'vitest'
import { ApiError } from '../problem.js'
import { versionCondition } from './if-match.js'

describe('If-Match', () => {
  it.each([
    [undefined, null],
    ['*', null],
    ['"3"', [3]],
    ['"3", "4"', [3, 4]],
    ['W/"3"', []],
    ['"abc"', []],
    ['W/"3", "5"', [5]],
  ])('%s asks for %j', (header, versions) => {
    expect(versionCondition(header)).toEqual(versions)
  })

  it.each(['', '3', '"3', '"3" "4"', 'x"3"', `"${'9'.repeat(2000)}"`])(
    '%j is refused',
    (header) => {
      expect(() => versionCondition(header)).toThrow(ApiError)
    },
  )
})
