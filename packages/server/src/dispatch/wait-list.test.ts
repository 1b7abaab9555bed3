import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Waiter, WaitList } from './wait-list.js'

interface Numbered extends Waiter {
  readonly number: number
}

const waiter = (number: number): Numbered => ({ number, ahead: null, behind: null })

it('behaves as an array does, when members leave and come back', () => {
  const step = fc.record({
    action: fc.constantFrom('push', 'shift', 'remove'),
    number: fc.integer({ min: 0, max: 5 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const all = Array.from({ length: 6 }, (_, number) => waiter(number))
      const list = new WaitList<Numbered>()
      let line: number[] = []
      for (const { action, number } of steps) {
        if (action === 'shift') {
          expect(list.shift()?.number).toBe(line.shift())
        } else if (action === 'remove') {
          list.remove(all[number]!)
          line = line.filter((each) => each !== number)
        } else if (!line.includes(number)) {
          list.push(all[number]!)
          line.push(number)
        }
        expect(list.isEmpty).toBe(line.length === 0)
      }
      const rest: number[] = []
      for (let next = list.shift(); next !== null; next = list.shift()) rest.push(next.number)
      expect(rest).toEqual(line)
    }),
    { numRuns: 300, seed: 2 },
  )
})
