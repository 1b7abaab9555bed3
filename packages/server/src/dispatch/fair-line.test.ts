import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FairLine, TenantShare } from './fair-line.js'
import type { Waiter } from './wait-list.js'

interface Named extends Waiter {
  readonly name: string
}

const waiter = (name: string): Named => ({ name, ahead: null, behind: null })

function lineOf(names: readonly string[]): {
  line: FairLine<Named>
  shares: Map<string, TenantShare>
} {
  const line = new FairLine<Named>()
  const shares = new Map<string, TenantShare>()
  for (const name of names) {
    const share = shares.get(name[0]!) ?? new TenantShare(1)
    shares.set(name[0]!, share)
    line.push(share, waiter(name))
  }
  return { line, shares }
}

function served(line: FairLine<Named>): string[] {
  const names: string[] = []
  for (let next = line.shift(); next !== null; next = line.shift()) names.push(next.name)
  return names
}

it('has tenants take turns, however many each has in line', () => {
  const { line } = lineOf(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'])
  expect(served(line)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4'])
})

it('passes over a tenant that has used up its share, which keeps its turn', () => {
  const { line, shares } = lineOf(['a1', 'a2', 'b1', 'b2', 'c1'])
  const share = shares.get('a')!
  share.busy = 1
  expect(line.shift()!.name).toBe('b1')
  share.busy = 0
  expect(served(line)).toEqual(['a1', 'c1', 'b2', 'a2'])
})

it('serves nobody while all have used up their shares, and is not empty', () => {
  const { line, shares } = lineOf(['a1', 'b1'])
  for (const share of shares.values()) share.busy = 1
  expect([line.shift(), line.canGoOn, line.isEmpty]).toEqual([null, false, false])
  expect([...line.shares()]).toEqual([...shares.values()])
})

it('behaves as arrays do, when members leave and come back', () => {
  const step = fc.record({
    action: fc.constantFrom('push', 'shift', 'remove', 'use up'),
    tenant: fc.nat({ max: 2 }),
    number: fc.nat({ max: 3 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
      const shares = [0, 1, 2].map(() => new TenantShare(1))
      const all = shares.map((_, tenant) => [0, 1, 2, 3].map((n) => waiter(`${tenant}${n}`)))
      const line = new FairLine<Named>()
      let turns: Named[][] = []
      for (const { action, tenant, number } of steps) {
        const share = shares[tenant]!
        const one = all[tenant]![number]!
        const own = turns.find(([first]) => first!.name.startsWith(`${tenant}`))
        if (action === 'use up') {
          share.busy = 1 - share.busy
        } else if (action === 'shift') {
          const turn = turns.find(([first]) => !shares[Number(first!.name[0])]!.isUsedUp)
          expect(line.canGoOn).toBe(turn !== undefined)
          expect(line.shift()).toBe(turn?.shift() ?? null)
          if (turn !== undefined) turns = [...turns.filter((each) => each !== turn), turn]
        } else if (action === 'remove') {
          const index = own?.indexOf(one) ?? -1
          expect(line.remove(share, one)).toBe(index >= 0)
          if (index >= 0) own!.splice(index, 1)
        } else if (own === undefined) {
          line.push(share, one)
          turns.push([one])
        } else if (!own.includes(one)) {
          line.push(share, one)
          own.push(one)
        }
        turns = turns.filter((each) => each.length > 0)
        expect(line.isEmpty).toBe(turns.length === 0)
        const inLine = turns.map(([first]) => shares[Number(first!.name[0])])
        expect([...line.shares()]).toEqual(inLine)
        for (const each of shares) expect(line.has(each)).toBe(inLine.includes(each))
      }
    }),
    { numRuns: 200, seed: 3 },
  )
})
