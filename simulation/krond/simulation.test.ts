import { describe, expect, it } from 'vitest'
import { simulateHost } from './host-simulation.js'
import { violationsOf } from './invariants.js'
import { plantedBugs } from './planted-bugs.js'
import { scenario } from './scenario.js'

const isLong = process.env['KRON_LONG'] === '1'
const only = process.env['KRON_SEED']
const first = only === undefined ? 1 : Number(only)
const count = only === undefined ? (isLong ? 1000 : 100) : 1
const mostUntilFound = 100

describe('krond in a virtual world', () => {
  it('keeps its promises, whatever happens', async () => {
    const begin = performance.now()
    let days = 0
    let executed = 0
    for (let seed = first; seed < first + count; seed++) {
      const world = scenario(seed)
      const trace = await simulateHost(world)
      const violations = violationsOf(trace)
      days += world.lengthMs / 86_400_000
      executed += trace.executed.length
      const replay = `KRON_SEED=${seed} npx vitest run simulation/krond`
      expect(violations, [replay, ...violations.slice(0, 20)].join('\n')).toEqual([])
    }
    const rate = days / ((performance.now() - begin) / 60_000)
    console.log(
      `${count} worlds, ${days} days, ${executed} executions; ${Math.round(rate)} days/min`,
    )
  })

  it.each(Object.entries(plantedBugs))('is found out when it %s', async (_, distortion) => {
    for (let seed = 1; seed <= mostUntilFound; seed++) {
      const violations = violationsOf(await simulateHost(scenario(seed), distortion))
      if (violations.length > 0) {
        console.log(`seed ${seed}: ${violations[0]}`)
        return
      }
    }
    expect.unreachable(`not found in ${mostUntilFound} worlds`)
  })
})
