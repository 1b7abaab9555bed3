import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonFlawPosition } from './json-flaw.js'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('the place where a text stops being JSON', () => {
  it.each([
    ['', 0],
    ['{', 1],
    ['{"a":x}', 5],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['[1,,2]', 3],
    ['[1,]', 3],
    ['{a:1}', 1],
    ['"abc', 0],
    ['{"a":"\n"}', 5],
    ['[1] x', 4],
    ['01', 1],
    ['tru', 0],
    ['[}', 1],
    ['{"a":[1}', 7],
    ["{'a':1}", 1],
    ['  nul', 2],
  ])('is for %j at %i', (text, position) => {
    expect(isJson(text)).toBe(false)
    expect(jsonFlawPosition(text)).toBe(position)
  })

  it('is its end for everything that is JSON', () => {
    const property = fc.property(fc.json({ maxDepth: 6 }), (text) => {
      expect(jsonFlawPosition(text)).toBe(text.length)
    })
    fc.assert(property, { numRuns: 500, seed: 42 })
  })

  it('is such that what stands before it can be completed, for any text cut or changed', () => {
    const change = fc.tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.string({ maxLength: 2 }))
    const property = fc.property(change, ([json, at, put]) => {
      const cut = at % (json.length + 1)
      const text = json.slice(0, cut) + put + json.slice(cut + put.length)
      fc.pre(!isJson(text))
      const position = jsonFlawPosition(text)
      expect(position).toBeGreaterThanOrEqual(0)
      expect(position).toBeLessThanOrEqual(text.length)
    })
    fc.assert(property, { numRuns: 1000, seed: 43 })
  })

  it('is found in a text of a hundred thousand brackets', () => {
    expect(jsonFlawPosition('['.repeat(100_000))).toBe(100_000)
    expect(jsonFlawPosition(`"${'x'.repeat(250_000)}`)).toBe(0)
  })
})
