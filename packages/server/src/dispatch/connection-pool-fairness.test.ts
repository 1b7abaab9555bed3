import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type PoolLimits,
  PoolWorld,
  type SilentExchange,
} from '../../testing/dispatch/pool-world.js'

const origins = 6

/** Each end is a turn of an origin, or of one of two tenants with all origins that it holds up. */
const maxTurns = (origins + 2) * origins

const limits: fc.Arbitrary<PoolLimits> = fc.record({
  maxConnections: fc.integer({ min: 1, max: 7 }),
  maxConnectionsPerOrigin: fc.integer({ min: 1, max: 4 }),
})

const steps = fc.array(
  fc.record({
    action: fc.constantFrom(
      'start',
      'start',
      'start',
      'end',
      'end',
      'break',
      'leave',
      'leave',
      'time',
    ),
    tenant: fc.nat({ max: 2 }),
    origin: fc.nat({ max: origins - 1 }),
    which: fc.nat({ max: 1_000 }),
    /** Ends as soon as it has begun, while the pool still serves others. */
    failsAtOnce: fc.nat({ max: 9 }).map((n) => n === 0),
  }),
  { maxLength: 120, size: 'max' },
)

const pick = <Each>(all: ReadonlySet<Each>, which: number): Each | undefined =>
  [...all][which % Math.max(1, all.size)]

const shareOf = ({ maxConnections }: PoolLimits): number => Math.ceil(maxConnections / 2)

/** Notes who is served before whom, and objects when a tenant has two turns before another. */
class Turns {
  readonly #world: () => PoolWorld
  readonly #share: number
  readonly #overtakers = new Map<string, Set<string>>()

  constructor(world: () => PoolWorld, share: number) {
    this.#world = world
    this.#share = share
  }

  served({ tenantId, target: { origin } }: SilentExchange): void {
    const world = this.#world()
    const waiting = [...world.waiting].filter(({ target }) => target.origin === origin)
    const others = new Set(waiting.map((each) => each.tenantId))
    this.#overtakers.delete(`${tenantId} at ${origin}`)
    for (const other of others) {
      if (other === tenantId || world.busyFor(other) >= this.#share) continue
      const overtakers = this.#overtakers.get(`${other} at ${origin}`) ?? new Set()
      this.#overtakers.set(`${other} at ${origin}`, overtakers)
      expect(overtakers).not.toContain(tenantId)
      overtakers.add(tenantId)
    }
  }

  left({ tenantId, target: { origin } }: SilentExchange): void {
    const stays = [...this.#world().waiting].some(
      (each) => each.tenantId === tenantId && each.target.origin === origin,
    )
    if (!stays) this.#overtakers.delete(`${tenantId} at ${origin}`)
  }
}

function expectLimitsKept(world: PoolWorld, of: PoolLimits): void {
  const { pool, busy, waiting } = world
  expect(pool.waiting).toBe(waiting.size)
  expect(pool.size.connections).toBeLessThanOrEqual(of.maxConnections)
  expect(pool.size.connections).toBeGreaterThanOrEqual(busy.size)
  for (const { target, tenantId } of busy) {
    expect(world.busyAt(target)).toBeLessThanOrEqual(of.maxConnectionsPerOrigin)
    expect(world.busyFor(tenantId)).toBeLessThanOrEqual(shareOf(of))
  }
}

/** Unused connections are no reason to wait: they can be used, or closed for a new one. */
const mustWait = (world: PoolWorld, of: PoolLimits, { tenantId, target }: SilentExchange) =>
  world.busy.size === of.maxConnections ||
  world.busyAt(target) === of.maxConnectionsPerOrigin ||
  world.busyFor(tenantId) === shareOf(of)

describe('whatever begins, ends, breaks and gives up', () => {
  it('keeps all limits, lets nobody wait for nothing, and serves all in turn', () => {
    fc.assert(
      fc.property(limits, steps, (of, all) => {
        const failing = new Set<number>()
        const lastOf = new Map<string, number>()
        let served = 0
        let left = 0
        const turns = new Turns(() => world, shareOf(of))
        const world: PoolWorld = new PoolWorld(of, (exchange) => {
          const { number, tenantId, target } = exchange
          served++
          expect(world.busyFor(tenantId)).toBeLessThanOrEqual(shareOf(of))
          expect(number).toBeGreaterThan(lastOf.get(`${tenantId} at ${target.origin}`) ?? -1)
          lastOf.set(`${tenantId} at ${target.origin}`, number)
          turns.served(exchange)
          if (failing.has(number)) world.end(exchange, false)
        })
        const expectSound = (): void => {
          expectLimitsKept(world, of)
          for (const each of world.waiting) expect(mustWait(world, of, each)).toBe(true)
        }
        for (const { action, tenant, origin, which, failsAtOnce } of all) {
          if (action === 'start') {
            if (failsAtOnce) failing.add(world.started)
            world.start(tenant, origin)
          } else if (action === 'time') {
            world.now += which * 2
          } else if (action === 'leave') {
            const exchange = pick(world.waiting, which)
            if (exchange === undefined) continue
            world.leave(exchange)
            turns.left(exchange)
            left++
          } else {
            const exchange = pick(world.busy, which)
            if (exchange !== undefined) world.end(exchange, action === 'end')
          }
          expectSound()
        }
        for (const exchange of world.busy) {
          world.end(exchange)
          expectSound()
        }
        expect([world.waiting.size, served]).toEqual([0, world.started - left])
        void world.pool.close()
        expect(world.pool.size).toEqual({ origins: 0, tenants: 0, connections: 0 })
      }),
      { numRuns: 500, seed: 4 },
    )
  })

  it('leaves no origin for long without a connection while someone there could be served', () => {
    const ends = fc.array(fc.nat({ max: 1_000 }), { minLength: 100, maxLength: 100 })
    const crowd = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: origins - 1 })), {
      minLength: 8,
      maxLength: 40,
      size: 'max',
    })
    fc.assert(
      fc.property(limits, crowd, ends, (of, all, picks) => {
        const world = new PoolWorld(of)
        const without = new Map<string, number>()
        for (const [tenant, origin] of all) world.start(tenant, origin)
        for (const which of picks) {
          const exchange = pick(world.busy, which)!
          world.end(exchange, which % 5 > 0)
          world.start(Number(exchange.tenantId.slice(-1)), exchange.target.port - 1)
          const starving = new Set<string>()
          for (const { tenantId, target } of world.waiting) {
            const couldGoOn = world.busyFor(tenantId) < shareOf(of)
            if (couldGoOn && world.busyAt(target) === 0) starving.add(target.origin)
          }
          for (const origin of without.keys()) if (!starving.has(origin)) without.delete(origin)
          for (const origin of starving) {
            const endings = (without.get(origin) ?? 0) + 1
            without.set(origin, endings)
            expect(endings).toBeLessThanOrEqual(maxTurns)
          }
        }
      }),
      { numRuns: 200, seed: 5 },
    )
  })
})

it('origins that have enough do not stand in the way of one that has no connection', () => {
  const world = new PoolWorld({ maxConnections: 2, maxConnectionsPerOrigin: 2 })
  for (let tenant = 0; tenant < 12; tenant++) world.start(tenant, tenant % 2)
  const last = world.start(12, 2)
  for (let ended = 0; ended < 4; ended++) world.end([...world.busy][0]!)
  expect(last.connection).not.toBeNull()
})

describe('a tenant', () => {
  it('has half of all connections at most, at however many origins it waits', () => {
    const world = new PoolWorld({ maxConnections: 8, maxConnectionsPerOrigin: 3 })
    for (let n = 0; n < 40; n++) world.start(0, n % 10)
    expect(world.busy.size).toBe(4)
    world.start(1, 0)
    expect(world.busyFor('tenant 1')).toBe(1)
  })

  it('has one connection where there is but one', () => {
    const world = new PoolWorld({ maxConnections: 1, maxConnectionsPerOrigin: 1 })
    world.start(0, 0)
    expect(world.busy.size).toBe(1)
  })

  it('goes on wherever it waits when one of its exchanges ends, on what is unused there', () => {
    const world = new PoolWorld({ maxConnections: 4, maxConnectionsPerOrigin: 4 })
    const unused = world.start(1, 0)
    world.end(unused)
    const ending = [world.start(0, 1), world.start(0, 2)]
    const held = world.start(0, 0)
    expect(held.connection).toBeNull()
    world.end(ending[0]!)
    expect(held.connection).toBe(unused.connection)
  })

  it('gives its origins turns when it has used up its share, however long their lines are', () => {
    const begun: number[] = []
    const world = new PoolWorld({ maxConnections: 2, maxConnectionsPerOrigin: 2 }, (each) =>
      begun.push(each.target.port - 1),
    )
    for (const origin of [0, 0, 0, 0, 0, 1, 2]) world.start(0, origin)
    for (const exchange of world.busy) world.end(exchange)
    expect(begun.slice(0, 4).sort()).toEqual([0, 0, 1, 2])
  })

  it('that waits for its share at many origins does not keep one from others', () => {
    const world = new PoolWorld({ maxConnections: 4, maxConnectionsPerOrigin: 2 })
    for (let n = 0; n < 1_000; n++) world.start(0, n)
    const other = [1, 2].map((tenant) => world.start(tenant, 500))
    for (const { connection } of other) expect(connection).not.toBeNull()
  })

  it('is forgotten when it has nothing under way, however many there have been', () => {
    const world = new PoolWorld({ maxConnections: 4, maxConnectionsPerOrigin: 4 })
    const staying = world.start(0, 0)
    for (let tenant = 1; tenant < 10_000; tenant++) world.end(world.start(tenant, 0))
    expect(world.pool.size.tenants).toBeLessThan(20)
    world.end(staying)
    void world.pool.close()
    expect(world.pool.size.tenants).toBe(0)
  })
})
