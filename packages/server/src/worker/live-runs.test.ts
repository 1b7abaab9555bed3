import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TenantLoads } from './live-runs.js'

describe('the loads of tenants', () => {
  it('leave out who has half of a worker', () => {
    const loads = new TenantLoads(4)
    expect(loads.room).toEqual({ without: [], most: 2 })
    loads.add('a')
    expect(loads.room).toEqual({ without: [], most: 1 })
    loads.add('a')
    expect(loads.room).toEqual({ without: ['a'], most: 2 })
    expect(loads.remove('a')).toBe(true)
    expect(loads.remove('a')).toBe(false)
    expect(loads.room).toEqual({ without: [], most: 2 })
  })

  it('let everybody have one, however small the worker', () => {
    expect(new TenantLoads(1).room).toEqual({ without: [], most: 1 })
  })

  it('never exceed the share of anybody when claims keep to the room', () => {
    const most = fc.integer({ min: 1, max: 20 })
    const steps = fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 200 })
    fc.assert(
      fc.property(most, steps, (maxInFlight, taken) => {
        const loads = new TenantLoads(maxInFlight)
        const share = Math.max(1, Math.floor(maxInFlight / 2))
        const held = [0, 0, 0, 0]
        for (const [tenant, isEnd] of taken) {
          const id = `t${tenant}`
          if (isEnd) {
            if (held[tenant]! === 0) continue
            expect(loads.remove(id)).toBe(held[tenant]! >= share)
            held[tenant]!--
            continue
          }
          const { without, most } = loads.room
          expect(most).toBeGreaterThan(0)
          if (without.includes(id)) continue
          for (let n = 0; n < most; n++) loads.add(id)
          held[tenant]! += most
          expect(held[tenant]!).toBeLessThanOrEqual(share)
        }
        expect(loads.room.without.length).toBe(held.filter((load) => load >= share).length)
      }),
    )
  })
})
