import { expect, it } from 'vitest'
import { minutesArgument } from './arguments.js'

it.each([
  ['30s', 1],
  ['2m', 2],
  ['2m1ms', 3],
  ['1d', 1_440],
])(
  '%s are %d minutes where only whole ones can be said, never less than asked for',
  (text, minutes) => {
    expect(minutesArgument('--overlap', text)).toBe(minutes)
  },
)
