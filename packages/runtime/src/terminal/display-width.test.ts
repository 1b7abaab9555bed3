import { describe, expect, it } from 'vitest'
import { displayWidth, padEnd, padStart } from './display-width.js'

describe('the width of a text on a terminal', () => {
  it.each<[string, number]>([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['🙂', 2],
    ['█▁┤─', 4],
    ['→', 1],
    ['\u001b[1;31mred\u001b[0m', 3],
  ])('of %j is %d cells', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })

  it('is what texts are padded to', () => {
    expect(padEnd('日', 4)).toBe('日  ')
    expect(padStart('\u001b[2mx\u001b[0m', 3)).toBe('  \u001b[2mx\u001b[0m')
    expect(padEnd('long', 2)).toBe('long')
  })
})
