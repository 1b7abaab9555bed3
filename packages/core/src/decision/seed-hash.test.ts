import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hexOf, SeedHash } from './seed-hash.js'
import { SplitMix64 } from './split-mix.js'

const hashOf = (identity: string, key: string, salt: string) => {
  const words = new Int32Array(8)
  new SeedHash(identity, salt).digest(key, words)
  return hexOf(words)
}

const reference = (identity: string, key: string, salt: string) =>
  createHash('sha256').update(`${identity}\n${key}\n${salt}`, 'utf8').digest('hex')

describe('the seed hash', () => {
  it('is SHA-256 of identity, period key and salt for every length around the block size', () => {
    for (let length = 0; length < 140; length++) {
      const identity = 'i'.repeat(length)
      for (const salt of ['', 's'.repeat(140 - length)]) {
        for (const key of ['2026-W09', '2026-03-01', '2026-03-01T00:00:00Z']) {
          expect(hashOf(identity, key, salt)).toBe(reference(identity, key, salt))
        }
      }
    }
  })

  it('takes any well-formed Unicode', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 })
    const check = fc.property(text, text, (identity, salt) => {
      expect(hashOf(identity, '2026-03-01', salt)).toBe(reference(identity, '2026-03-01', salt))
    })
    fc.assert(check, { numRuns: 500, seed: 1 })
    for (const edge of ['\u007f\u0080', '\u07ff\u0800', '\uffff\u{10000}', '\u{10ffff}']) {
      expect(hashOf(edge, 'k', edge)).toBe(reference(edge, 'k', edge))
    }
  })

  it('takes salts of many blocks, and short ones after them', () => {
    for (const length of [1000, 3, 500, 1024]) {
      const salt = 'x'.repeat(length)
      expect(hashOf('job', '2026-03-01', salt)).toBe(reference('job', '2026-03-01', salt))
    }
  })

  it('can be asked again and again, with keys of changing length', () => {
    const words = new Int32Array(8)
    const hash = new SeedHash('job', 'salt')
    for (const key of ['2026-03-01', '2026-W09', '+012026-03-01', '2026-03-01', '']) {
      hash.digest(key, words)
      expect(hexOf(words)).toBe(reference('job', key, 'salt'))
    }
  })
})

describe('the generator', () => {
  const mask = (1n << 64n) - 1n

  function* splitMix64(seed: bigint): Generator<number, never> {
    let state = seed
    for (;;) {
      state = (state + 0x9e3779b97f4a7c15n) & mask
      let z = state
      z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask
      z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask
      z ^= z >> 31n
      yield Number(z >> 11n) / 2 ** 53
    }
  }

  it('is SplitMix64, bit for bit', () => {
    const check = fc.property(fc.bigInt({ min: 0n, max: mask }), (seed) => {
      const random = new SplitMix64()
      random.seed(Number(seed >> 32n) | 0, Number(seed & 0xffff_ffffn) | 0)
      const expected = splitMix64(seed)
      for (let draw = 0; draw < 64; draw++) expect(random.next()).toBe(expected.next().value)
    })
    const edges = [0n, 1n, mask, mask - 1n, 1n << 63n, 0xffff_ffffn, 0xffff_ffff_0000_0000n]
    fc.assert(check, { numRuns: 500, seed: 2, examples: edges.map((edge) => [edge]) })
  })
})
