import { describe, expect, it } from 'vitest'
import { observe } from './cluster-world.js'
import { judge } from './invariants/index.js'
import { type PlantedBug, plantedBugs } from './planted-bugs.js'
import { noTrouble, type Scenario, scenario } from './scenario.js'

const maxUntilFound = 40

function shaped(seed: number, { in: shape = {} }: PlantedBug): Scenario {
  const drawn = scenario(seed)
  const trouble = shape.trouble === undefined ? drawn.trouble : { ...noTrouble, ...shape.trouble }
  return { ...drawn, ...shape, minutes: 25, trouble }
}

describe('an operator in a virtual cluster', () => {
  it.each(Object.entries(plantedBugs))('is found out when it %s', async (_, bug) => {
    for (let seed = 1; seed <= maxUntilFound; seed++) {
      const { violations } = judge(await observe(shaped(seed, bug), bug.sabotage))
      const found = violations.find((violation) => bug.shows.test(violation))
      if (found === undefined) continue
      console.log(`seed ${seed}: ${found}`)
      return
    }
    expect.unreachable(`not found in ${maxUntilFound} worlds`)
  })
})
