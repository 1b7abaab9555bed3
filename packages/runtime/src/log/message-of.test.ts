import { describe, expect, it } from 'vitest'
import { messageOf } from './message-of.js'

describe('the message of what was thrown', () => {
  it.each([
    [new RangeError('too far'), 'too far'],
    [new Error(''), ''],
    ['text', 'text'],
    [null, 'null'],
    [undefined, 'undefined'],
    [5, '5'],
    [{ toString: () => 'an object' }, 'an object'],
  ])('of %s is %j', (thrown, message) => {
    expect(messageOf(thrown)).toBe(message)
  })
})
