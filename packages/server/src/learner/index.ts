export { leastShare, type Member, shareBudget } from './common-budget.js'
export { type Band, type Look, learn, type Mode, type Wish } from './learner.js'
export { type Memory, meanRate, newMemory } from './memory.js'
export { type Limits, type Times, type WantedRun, wantedRun } from './wanted-run.js'
