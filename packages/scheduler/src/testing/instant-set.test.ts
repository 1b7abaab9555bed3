import fc from 'fast-check'
import { expect, it } from 'vitest'
import { InstantSet, type InstantSpan } from './instant-set.js'

const size = 30

function instantsOf(spans: readonly InstantSpan[]): number[] {
  return spans.flatMap(({ from, to }) =>
    Array.from({ length: to - from }, (_, offset) => from + offset + 1),
  )
}

it('does what a set of single instants does', () => {
  const bound = fc.integer({ min: 0, max: size })
  const change = fc.record({ add: fc.boolean(), from: bound, to: bound })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), bound, bound, (changes, from, to) => {
      const set = new InstantSet()
      const model = new Set<number>()
      for (const span of changes) {
        if (span.add) set.add(span.from, span.to)
        else set.remove(span.from, span.to)
        for (const one of span.to > span.from ? instantsOf([span]) : []) {
          if (span.add) model.add(one)
          else model.delete(one)
        }
      }
      expect(instantsOf(set.spans)).toEqual([...model].sort((a, b) => a - b))
      const asked = to > from ? instantsOf([{ from, to }]) : []
      const missing = asked.filter((one) => !model.has(one))
      expect(instantsOf(set.outside({ from, to }))).toEqual(missing)
    }),
    { numRuns: 2000, seed: 1 },
  )
})
