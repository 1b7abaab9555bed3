import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isId, newId } from './id.js'

const kinds = ['ten', 'job', 'ep', 'key', 'sec', 'aud', 'ses', 'req', 'wrk'] as const

describe('ids', () => {
  it('say what they name', () => {
    for (const kind of kinds) {
      const id = newId(kind, Date.UTC(2026, 0, 1))
      expect(id).toMatch(new RegExp(`^${kind}_[0-9a-hjkmnp-tv-z]{26}$`))
      for (const other of kinds) expect(isId(other, id)).toBe(other === kind)
    }
  })

  it('sort by age', () => {
    const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 })
    const check = fc.property(instant, instant, (a, b) => {
      fc.pre(a !== b)
      expect(newId('ep', a) < newId('ep', b)).toBe(a < b)
    })
    fc.assert(check, { numRuns: 500, seed: 3 })
  })

  it('are never the same', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => newId('req', 5)))
    expect(ids.size).toBe(10_000)
  })

  it.each(['', 'ep', 'ep_', 'ep_0000000000000000000000000', `ep_${'0'.repeat(27)}`])(
    'are not such as %j',
    (text) => {
      expect(isId('ep', text)).toBe(false)
    },
  )

  it.each(['i', 'l', 'o', 'u', 'A', ' ', "'"])('have no letter such as %j', (letter) => {
    expect(isId('ep', `ep_${'0'.repeat(25)}${letter}`)).toBe(false)
    expect(isId('ep', `ep_${'0'.repeat(26)}\n`)).toBe(false)
  })
})
