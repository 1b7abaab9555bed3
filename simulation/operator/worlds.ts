import { expect } from 'vitest'
import { observe } from './cluster-world.js'
import { judge } from './invariants/index.js'
import { scenario } from './scenario.js'

const isLong = process.env['KRON_LONG'] === '1'
const only = process.env['KRON_SEED']
const count = isLong ? 4000 : 80

/** The seeds that are tried, in two halves that run beside each other. */
export function seedsOf(half: 'odd' | 'even'): number[] {
  const isOfHalf = (seed: number) => seed % 2 === (half === 'odd' ? 1 : 0)
  if (only !== undefined) return [Number(only)].filter(isOfHalf)
  // The short run is the same every time; the long one tries what nobody has seen.
  const first = isLong ? Math.floor(Math.random() * 2 ** 31) : 1
  return Array.from({ length: count }, (_, n) => first + n).filter(isOfHalf)
}

export const timeoutMs = isLong ? 3_600_000 : 300_000

/** Fails with the first world in which operators break a promise, and says how to see it again. */
export async function keepTheirPromises(seeds: readonly number[]): Promise<void> {
  const begin = performance.now()
  const totals = { jobs: 0, requests: 0, deaths: 0, owed: 0, disturbances: 0 }
  let days = 0
  for (const seed of seeds) {
    const observation = await observe(scenario(seed))
    const { violations, owed } = judge(observation)
    const { chronicle, startedAt, endedAt, deaths } = observation
    totals.jobs += chronicle.creations.length
    totals.requests += chronicle.requests.length
    totals.disturbances += chronicle.disturbances.length
    totals.deaths += deaths
    totals.owed += owed
    days += (endedAt - startedAt) / 86_400_000
    const replay = `KRON_SEED=${seed} npx vitest run simulation/operator`
    expect(violations, [replay, ...violations.slice(0, 10)].join('\n')).toEqual([])
  }
  const rate = (days / ((performance.now() - begin) / 60_000)).toFixed(1)
  console.log(`${seeds.length} worlds, ${JSON.stringify(totals)}; ${rate} virtual days/min`)
}
