import { dayMs, isDown, type World } from './world.ts'
import type { Span } from './worlds/chance.ts'

const stepMs = 30_000

/**
 * When a target is down, found by asking a target of the same seed again and again: worlds say it by
 * their answers alone. Shorter outages than half a minute may be overlooked.
 */
export function outagesOf(world: World, seed: number): readonly Span[] {
  const end = world.days * dayMs
  const twin = world.make(seed)
  const found: [number, number][] = []
  let from: number | null = null
  for (let at = 0; at < end; at += stepMs) {
    const down = isDown(twin.respond(at))
    if (down && from === null) from = at
    if (down || from === null) continue
    found.push([from, at])
    from = null
  }
  if (from !== null) found.push([from, end])
  return found.map(([first, last]) => [
    edge(world, seed, first, false),
    last === end ? end : edge(world, seed, last, true),
  ])
}

/** The millisecond at which the state changed, in the step that ends at `high`. */
function edge(world: World, seed: number, high: number, wasDown: boolean): number {
  let low = high - stepMs
  while (low >= 0 && high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    // A target that counts its calls has to be asked in the order of time.
    if (isDown(world.make(seed).respond(middle)) === wasDown) low = middle
    else high = middle
  }
  return high
}
