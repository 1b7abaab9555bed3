import type { Random } from '../random.js'

/** What a task of a world does when it is called. */
export interface WorldTask {
  readonly name: string
  readonly expression: string
  readonly retryDelayMs: number
  /** Whether its callback sometimes stops the scheduler. */
  readonly stops: boolean
}

const expressions = [
  '* * * * *',
  '0,30 * * * *',
  '0,15,30,45 * * * *',
  '30 2 * * *',
  '0,30 1 * * *',
  '5 0-5 * * *',
  '10-20 * * * *',
  '59 * * * *',
  '0 0 * * *',
  '17 3 1,15 * 1',
  '0 12 29 2 *',
]

const delaysMs = [0, 250, 1000, 20_000, 60_000, 300_000, 3_600_000]

export function taskMix(random: Random, count: number): WorldTask[] {
  return Array.from({ length: count }, (_, index) => someTask(random, `t${index}`))
}

function someTask(random: Random, name: string): WorldTask {
  return {
    name,
    expression: random.pick(expressions),
    retryDelayMs: random.pick(delaysMs),
    stops: random.chance(0.05),
  }
}

/** The same tasks with something changed: one more, one less, another expression or delay. */
export function changedMix(random: Random, tasks: readonly WorldTask[]): WorldTask[] {
  const changed = [...tasks]
  const place = random.between(0, Math.max(0, tasks.length - 1))
  switch (random.between(0, 4)) {
    case 0:
      changed.splice(place, 1)
      break
    case 1: {
      // Of few names, so that one that was removed comes again.
      const name = `t${random.between(0, 6)}`
      if (!tasks.some((task) => task.name === name)) changed.push(someTask(random, name))
      break
    }
    case 2:
    case 3:
      if (changed[place] !== undefined) {
        changed[place] = { ...changed[place], expression: random.pick(expressions) }
      }
      break
    default:
      if (changed[place] !== undefined) {
        changed[place] = { ...changed[place], retryDelayMs: random.pick(delaysMs) }
      }
  }
  return changed
}
