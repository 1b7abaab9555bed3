import { describe, expect, it } from 'vitest'
import { simulateHost } from './host-simulation.js'
import { violationsOf } from './invariants.js'
import { plantedBugs } from './planted-bugs.js'
import { scenario } from './scenario.js'

const maxUntilFound = 100

describe('krond in a virtual world', () => {
  it.each(Object.entries(plantedBugs))('is found out when it %s', async (_, distortion) => {
    for (let seed = 1; seed <= maxUntilFound; seed++) {
      const violations = violationsOf(await simulateHost(scenario(seed), distortion))
      if (violations.length > 0) {
        console.log(`seed ${seed}: ${violations[0]}`)
        return
      }
    }
    expect.unreachable(`not found in ${maxUntilFound} worlds`)
  })
})
