import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exp, expm1, log, log1p, normalCdf, normalQuantile, pow } from './index.js'

const folder = new URL('./', import.meta.url)
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
)

function codeOf(name: string): string {
  const text = readFileSync(new URL(name.replaceAll('\\', '/'), folder), 'utf8')
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*/g, '')
}

describe('the source', () => {
  it('is found by this test', () => {
    expect(sources).toContain('pow.ts')
    expect(sources.length).toBeGreaterThan(5)
  })

  it.each(sources)('of %s uses only operations that IEEE 754 defines exactly', (name) => {
    const code = codeOf(name)
    const used = [...code.matchAll(/\bMath\s*(?:\.\s*(\w+)|\[|\?)/g)].map((match) => match[1])
    expect(used.filter((f) => f !== 'sqrt' && f !== 'floor')).toEqual([])
    expect(code.match(/\bMath\b(?!\s*\.)/)).toBeNull()
    expect(code).not.toContain('**')
    expect(code.match(/\bBigInt|\bDate\b|\bIntl\b|\brequire\b|\b\d+n\b/)).toBeNull()
  })

  it.each(sources)('of %s imports nothing from outside of its folder', (name) => {
    const imports = [...codeOf(name).matchAll(/from '([^']*)'/g)].map((match) => match[1]!)
    expect(imports.filter((path) => !path.startsWith('./'))).toEqual([])
  })
})

/** Bits of results, folded to 32: any change of any bit of any of them shows. */
function fingerprint(f: (u: number, v: number) => number): string {
  const float = new Float64Array(1)
  const view = new DataView(float.buffer)
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  let hash = 0x811c_9dc5
  for (let i = 0; i < 20_000; i++) {
    const u = (Math.floor(next() * 2 ** 26) * 2 ** 27 + Math.floor(next() * 2 ** 27)) / 2 ** 53
    view.setFloat64(0, f(u, next()))
    hash = Math.imul(hash ^ view.getUint32(0), 0x0100_0193)
    hash = Math.imul(hash ^ view.getUint32(4), 0x0100_0193)
  }
  return (hash >>> 0).toString(16)
}

describe('every bit of twenty thousand results stays the same', () => {
  it.each([
    ['exp', (u: number) => exp(1480 * u - 760), 'ae30099f'],
    ['log', (u: number) => log(u), '8ce7689b'],
    ['pow', (u: number, v: number) => pow(u, 12 * v - 2), '358a63f8'],
    ['expm1', (u: number) => expm1(50 * u - 40), 'e9cee371'],
    ['log1p', (u: number, v: number) => log1p(v < 0.5 ? u : -u), 'b7977e13'],
    ['normalCdf', (u: number) => normalCdf(50 * u - 40), 'eec0322f'],
    ['normalQuantile', (u: number) => normalQuantile(u), 'b9e11d56'],
  ] as const)('of %s', (_, f, known) => {
    expect(fingerprint(f)).toBe(known)
  })
})
