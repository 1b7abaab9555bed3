import { expect, it } from 'vitest'
import { SilentExchange, targetOf } from '../../testing/dispatch/pool-world.js'
import { TenantShare } from './fair-line.js'
import { Origin } from './origin.js'
import { Starving } from './starving.js'

function originFor(starving: Starving, number: number, share: TenantShare): Origin {
  const origin = new Origin(targetOf(number), 1)
  origin.line.push(share, new SilentExchange(number, 0, number, () => {}))
  starving.note(origin)
  return origin
}

const usedUp = (): TenantShare => Object.assign(new TenantShare(1), { busy: 1 })

function serve(starving: Starving, origin: Origin, share: TenantShare): void {
  origin.line.shift()
  starving.noteLeft(origin, share)
  starving.delete(origin)
}

it('passes the turn from one origin to the next', () => {
  const starving = new Starving()
  const [first, second] = [0, 1].map((n) => originFor(starving, n, new TenantShare(1)))
  expect(starving.next()).toBe(first)
  starving.pass(first!)
  expect(starving.next()).toBe(second)
})

it('gives no turn to an origin without place or without anybody in line', () => {
  const starving = new Starving()
  const full = originFor(starving, 0, new TenantShare(1))
  full.open = 1
  starving.note(new Origin(targetOf(1), 1))
  expect(starving.next()).toBeNull()
  expect(starving.isEmpty).toBe(true)
})

it('gives a tenant one turn for all origins that it holds up, once it has less', () => {
  const starving = new Starving()
  const share = usedUp()
  const held = [0, 1, 2].map((n) => originFor(starving, n, share))
  expect(starving.next()).toBeNull()
  share.busy = 0
  starving.noteEnd(share)
  const other = originFor(starving, 3, new TenantShare(1))
  expect(starving.next()).toBe(other)
  starving.pass(other)
  expect(starving.next()).toBe(held[0])
})

it('does not look at what a tenant holds up while it has used up its share', () => {
  const starving = new Starving()
  const share = usedUp()
  const held = [0, 1].map((n) => originFor(starving, n, share))
  starving.next()
  share.busy = 0
  starving.noteEnd(share)
  expect(starving.next()).toBe(held[0])
  share.busy = 1
  serve(starving, held[0]!, share)
  expect(starving.next()).toBeNull()
  share.busy = 0
  starving.noteEnd(share)
  expect(starving.next()).toBe(held[1])
})

it('goes on to the next one that a tenant holds up, if the first has no place any more', () => {
  const starving = new Starving()
  const share = usedUp()
  const held = [0, 1].map((n) => originFor(starving, n, share))
  starving.next()
  held[0]!.open = 1
  share.busy = 0
  starving.noteEnd(share)
  expect(starving.next()).toBe(held[1])
})

it('forgets whom it held up when they have left, served or not', () => {
  const starving = new Starving()
  const share = usedUp()
  const held = [0, 1, 2].map((n) => originFor(starving, n, share))
  starving.next()
  share.busy = 0
  starving.noteEnd(share)
  for (const origin of held) serve(starving, origin, share)
  expect(starving.isEmpty).toBe(true)
})
