import { checkTrace, formatViolation } from '@kron/scheduler/testing'
import { expect } from 'vitest'
import { scenario } from './scenario.js'
import { type Observation, observe } from './scheduler-world.js'

const only = process.env['KRON_SEED']
const isLong = process.env['KRON_LONG'] === '1'

/** The seeds that are tried, in two halves that run beside each other. */
export function seedsOf(half: 'odd' | 'even'): number[] {
  const isOfHalf = (seed: number) => seed % 2 === (half === 'odd' ? 1 : 0)
  if (only !== undefined) return [Number(only)].filter(isOfHalf)
  // The short run is the same every time; the long one tries what nobody has seen.
  const first = isLong ? Math.floor(Math.random() * 2 ** 31) : 1
  return Array.from({ length: isLong ? 100_000 : 10_000 }, (_, n) => first + n).filter(isOfHalf)
}

export function violationsOf({ trace, options, wrongs }: Observation): string[] {
  const { violations } = checkTrace(trace, options)
  return [...violations.map((violation) => formatViolation(violation, trace)), ...wrongs]
}

/** Fails with the first world in which an axiom does not hold, and says how to see it again. */
export async function keepTheAxioms(seeds: readonly number[]): Promise<void> {
  const begin = performance.now()
  let positions = 0
  let starts = 0
  let crashes = 0
  let takeOvers = 0
  for (const seed of seeds) {
    const observation = await observe(scenario(seed))
    positions += observation.trace.length
    starts += observation.trace.filter(({ event }) => event === 'RS').length
    crashes += observation.trace.filter(({ event }) => event === 'Crash').length
    takeOvers += observation.trace.filter((line) => 'elsewhere' in line).length
    const violations = violationsOf(observation)
    const replay = `KRON_SEED=${seed} npx vitest run simulation/scheduler`
    expect(violations, [replay, ...violations.slice(0, 5)].join('\n')).toEqual([])
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(
    `${seeds.length} worlds, ${starts} starts, ${crashes} crashes, of which ${takeOvers} were ` +
      `take-overs, ${positions} positions; ${seconds} s`,
  )
}
