import type { Observation } from '../cluster-world.js'
import { overlaps, runsBeside } from './concurrency.js'
import { doubleCreations, lateCreations, lawlessRequests, wrongCreations } from './creations.js'
import { lostPeriods, owedPeriods } from './kept-periods.js'
import { stretchesOf } from './past.js'
import { restlessness, untidiness } from './rest.js'
import { hastyOutcomes, wrongStatuses } from './statuses.js'

export interface Judgement {
  readonly violations: readonly string[]
  /** Periods that nothing excused from being handled. */
  readonly owed: number
}

/** What must hold in every world, whatever went wrong in it. */
export function judge(observation: Observation): Judgement {
  const stretches = stretchesOf(observation)
  const owed = owedPeriods(observation, stretches)
  return {
    owed: owed.length,
    violations: [
      ...doubleCreations(observation),
      ...wrongCreations(observation, stretches),
      ...lateCreations(observation),
      ...overlaps(observation, stretches),
      ...runsBeside(observation, stretches),
      ...wrongStatuses(observation),
      ...hastyOutcomes(observation, stretches),
      ...lawlessRequests(observation),
      ...lostPeriods(observation, owed),
      ...restlessness(observation),
      ...untidiness(observation),
    ],
  }
}
