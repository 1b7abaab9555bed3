import { expect } from 'vitest'
import { simulateHost } from './host-simulation.js'
import { violationsOf } from './invariants.js'
import { scenario } from './scenario.js'

const isLong = process.env['KRON_LONG'] === '1'
const only = process.env['KRON_SEED']
const count = isLong ? 1000 : 100

/** The seeds that are tried, in two halves that run beside each other. */
export function seedsOf(half: 'odd' | 'even'): number[] {
  const all = only === undefined ? Array.from({ length: count }, (_, n) => n + 1) : [Number(only)]
  return all.filter((seed) => seed % 2 === (half === 'odd' ? 1 : 0))
}

/** Fails with the first world in which krond breaks a promise, and says how to see it again. */
export async function keepsItsPromises(seeds: readonly number[]): Promise<void> {
  const begin = performance.now()
  let days = 0
  let executed = 0
  for (const seed of seeds) {
    const world = scenario(seed)
    const trace = await simulateHost(world)
    const violations = violationsOf(trace)
    days += world.lengthMs / 86_400_000
    executed += trace.executed.length
    const replay = `KRON_SEED=${seed} npx vitest run simulation/krond`
    expect(violations, [replay, ...violations.slice(0, 20)].join('\n')).toEqual([])
  }
  const rate = Math.round(days / ((performance.now() - begin) / 60_000))
  console.log(`${seeds.length} worlds, ${days} days, ${executed} executions; ${rate} days/min`)
}
