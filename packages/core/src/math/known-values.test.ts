import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exp, expm1, log, log1p, normalCdf, normalQuantile, pow } from './index.js'

type Row = readonly number[]
type Name = 'exp' | 'log' | 'pow' | 'expm1' | 'log1p' | 'normalCdf' | 'normalQuantile'

const tables = JSON.parse(
  readFileSync(new URL('./generated/known-values.json', import.meta.url), 'utf8'),
) as Record<Name, readonly Row[]>

const smallestNormal = 2.2250738585072014e-308

describe('the nearest double of the true value, computed with 400 bits', () => {
  it.each([
    ['exp', exp],
    ['log', log],
    ['expm1', expm1],
    ['log1p', log1p],
  ] as const)('is what %s answers at every known point', (name, f) => {
    const wrong = tables[name].filter(([x, value]) => !Object.is(f(x!), value))
    expect(wrong).toEqual([])
    expect(tables[name].length).toBeGreaterThanOrEqual(200)
  })

  it('is what pow answers at every known point', () => {
    const wrong = tables.pow.filter(([x, y, value]) => !Object.is(pow(x!, y!), value))
    expect(wrong).toEqual([])
    expect(tables.pow.length).toBeGreaterThanOrEqual(200)
  })
})

describe('the known values of the normal distribution', () => {
  it.each([
    ['normalCdf', normalCdf],
    ['normalQuantile', normalQuantile],
  ] as const)('are met by %s to a relative error of 2e-15', (name, f) => {
    const wrong = tables[name].filter(([x, value]) => {
      const error = Math.abs(f(x!) - value!)
      const scale = Math.abs(value!)
      return !(error <= (scale < smallestNormal ? 5e-324 : scale * 2e-15))
    })
    expect(wrong).toEqual([])
    expect(tables[name].length).toBeGreaterThanOrEqual(200)
  })
})
