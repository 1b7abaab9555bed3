import { describe, expect, it } from 'vitest'
import { plantedBugs } from './planted-bugs.js'
import { scenario } from './scenario.js'
import { observe } from './scheduler-world.js'
import { violationsOf } from './worlds.js'

const maxUntilFound = 1000

describe('a scheduler in virtual worlds is found out when it', () => {
  it.each(Object.entries(plantedBugs))('%s', async (_, { plant, distort }) => {
    const takeOut = plant?.()
    try {
      for (let seed = 1; seed <= maxUntilFound; seed++) {
        const [violation] = violationsOf(await observe(scenario(seed), distort))
        if (violation === undefined) continue
        console.log(`seed ${seed}: ${violation.split('\n')[0]}`)
        return
      }
      expect.unreachable(`not found in ${maxUntilFound} worlds`)
    } finally {
      takeOut?.()
    }
  })
})
