import type { Task } from './contenders/contender.ts'
import { minuteMs, type Plan } from './plan.ts'

/** So far around the boundaries no expression is due but at them. */
const quietMinutes = 10
const choosableMinutes = 60 - 2 * quietMinutes - 5

/** Each task's first start at each boundary; NaN: it has not started. */
export interface Starts {
  readonly at: readonly Float64Array[]
  /** All calls, also those that came twice. */
  calls: number
}

export function prepareStarts({ boundaries, tasks }: Plan): Starts {
  return { at: boundaries.map(() => new Float64Array(tasks).fill(Number.NaN)), calls: 0 }
}

/** Own name and own closure for each, so that nothing can be shared but the expressions. */
export function prepareTasks(plan: Plan, starts: Starts): Task[] {
  const due = expressionsOf(plan, plan.boundaries)
  const later = expressionsOf(plan, [])
  const dueEvery = plan.tasks / plan.dueTasks
  const secondFrom = plan.boundaries[1] ?? Infinity
  const [first, second] = starts.at
  let countDue = 0
  return Array.from({ length: plan.tasks }, (_, index) => {
    const isDue = index >= countDue * dueEvery
    const expression = isDue
      ? due[countDue++ % due.length]!
      : later[(index - countDue) % later.length]!
    const callback = async (): Promise<void> => {
      const now = performance.timeOrigin + performance.now()
      const boundary = now < secondFrom - 1000 ? first! : second!
      if (Number.isNaN(boundary[index]!)) boundary[index] = now
      starts.calls++
    }
    return { name: nameOf(index), expression, callback }
  })
}

/** Joined, since the parts of a template might be kept apart until somebody reads them. */
const nameOf = (index: number): string => ['task', String(index)].join('-')

/**
 * Different lists of minutes that all have the given ones in them, and none of the minutes around
 * the boundaries besides. The bits of a number choose the others.
 */
function expressionsOf({ expressions, boundaries }: Plan, always: readonly number[]): string[] {
  const firstMinute = new Date(boundaries[0]!).getUTCMinutes()
  const chosen = always.map((boundary) => new Date(boundary).getUTCMinutes())
  return Array.from({ length: expressions }, (_, index) => {
    const minutes = [...chosen]
    const bits = index + 1
    for (let bit = 0; bit < choosableMinutes && bits >= 2 ** bit; bit++) {
      if (Math.floor(bits / 2 ** bit) % 2 === 1) {
        minutes.push((firstMinute + quietMinutes + bit) % 60)
      }
    }
    return `${minutes.sort((a, b) => a - b).join(',')} * * * *`
  })
}

export const isTooLateFor = (now: number, { boundaries }: Plan): boolean =>
  now > boundaries[0]! - 1000

/** The longest time that registration may take without a minute being due in it. */
export const longestAheadMs = (quietMinutes - 2) * minuteMs
