import type { Passage } from '../../../../simulation/krond/mortal-ports.ts'

/** Everything the daemon does to the world, in the order of one start. */
export const effects = [
  'prepare',
  'create',
  'write',
  'sync',
  'close',
  'replace',
  'syncFolder',
  'release',
  'isAlive',
  'signal',
] as const

export const sides = ['before', 'after'] as const

/** A place between two effects, and which passage of it is the last. */
export interface CrashPoint {
  readonly effect: (typeof effects)[number]
  readonly side: (typeof sides)[number]
  readonly passage: number
}

export const crashPoints = effects.flatMap((effect) =>
  sides.map((side) => ({ effect, side }) as const),
)

/** Kills this very process, with the signal that nobody can catch, at the point. */
export function deadlyPassage(point: CrashPoint | null): Passage {
  let passages = 0
  const pass = (effect: string, side: CrashPoint['side']): void => {
    if (point === null || effect !== point.effect || side !== point.side) return
    if (++passages === point.passage) process.kill(process.pid, 'SIGKILL')
  }
  return {
    async act(name, effect) {
      pass(name, 'before')
      const answer = await effect()
      pass(name, 'after')
      return answer
    },
    actNow(name, effect) {
      pass(name, 'before')
      const answer = effect()
      pass(name, 'after')
      return answer
    },
    await: (promise) => promise,
  }
}
