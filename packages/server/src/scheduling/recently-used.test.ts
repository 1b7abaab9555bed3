import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecentlyUsed } from './recently-used.js'

type Step = readonly ['set' | 'use' | 'delete', key: number]

const steps = fc.array(
  fc.tuple(fc.constantFrom('set', 'set', 'use', 'delete'), fc.nat(9)) as fc.Arbitrary<Step>,
  { maxLength: 60 },
)

/** The same by a list of keys, the one that was used last at its end. */
function plainly(most: number, taken: readonly Step[]): number[] {
  let keys: number[] = []
  for (const [what, key] of taken) {
    const isThere = keys.includes(key)
    const others = keys.filter((other) => other !== key)
    if (what === 'delete') keys = others
    else if (what === 'set' || isThere) keys = [...others, key].slice(-most)
  }
  return keys
}

describe('values that are used', () => {
  it('outlast those that are not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), steps, (most, taken) => {
        const kept = new RecentlyUsed<number>(most)
        taken.forEach(([what, key], turn) => {
          if (what === 'set') kept.set(`key ${key}`, turn)
          else kept[what](`key ${key}`)
        })
        const found = Array.from({ length: 10 }, (_, key) => kept.peek(`key ${key}`))
        const keys = plainly(most, taken)
        const wanted = found.map((_, key) =>
          keys.includes(key)
            ? taken.findLastIndex(([what, other]) => what === 'set' && other === key)
            : undefined,
        )
        expect(found).toEqual(wanted)
      }),
    )
  })
})
