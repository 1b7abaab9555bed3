import {
  type Band,
  learn,
  type Memory,
  newMemory,
  wantedRun,
} from '../../../packages/server/dist/learner/index.js'
import type { Player, Policy, Setting } from './policy.ts'

/** The learner, by the very code that the server runs. */
export const rules: Policy = {
  name: 'rules',
  play: (setting) => {
    const memory = newMemory(setting.world.baselineMs, 0)
    const band = { ...bandOf(setting), budget: setting.budget }
    return learner(setting, memory, () => band)
  },
}

export const bandOf = ({ world }: Pick<Setting, 'world'>): Omit<Band, 'budget'> => ({
  baselineMs: world.baselineMs,
  minMs: world.minIntervalMs,
  maxMs: world.maxIntervalMs,
})

export function learner({ calendar }: Setting, memory: Memory, bandNow: () => Band): Player {
  return {
    next(look) {
      const band = bandNow()
      const wanted = wantedRun(learn(memory, look, band), look.at, calendar, band)
      if (wanted === null) return null
      return wanted.kind === 'time' ? wanted.at : look.at + wanted.intervalMs
    },
  }
}
