import { describe, expect, it } from 'vitest'
import { observe } from './cluster-world.js'
import { judge } from './invariants/index.js'
import { plantedBugs } from './planted-bugs.js'
import { scenario } from './scenario.js'

const mostUntilFound = 60

describe('an operator in a virtual cluster', () => {
  it.each(Object.entries(plantedBugs))(
    'is found out when it %s',
    async (_, [sabotage, message]) => {
      for (let seed = 1; seed <= mostUntilFound; seed++) {
        const { violations } = judge(await observe(scenario(seed), sabotage))
        const found = violations.find((violation) => message.test(violation))
        if (found === undefined) continue
        console.log(`seed ${seed}: ${found}`)
        return
      }
      expect.unreachable(`not found in ${mostUntilFound} worlds`)
    },
  )
})
