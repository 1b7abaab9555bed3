import type { Task } from './contenders/contender.ts'
import { minuteMs, type Plan } from './plan.ts'

/** So far around the boundary no expression is due but at it. */
const quietMinutes = 10
const choosableMinutes = 60 - 2 * quietMinutes - 5

/** Each task's first start; NaN: it has not started. */
export interface Starts {
  readonly at: Float64Array
  /** All calls, also those that came twice. */
  calls: number
}

export function prepareStarts({ tasks }: Plan): Starts {
  return { at: new Float64Array(tasks).fill(Number.NaN), calls: 0 }
}

/** Own name and own closure for each, so that nothing can be shared but the expressions. */
export function prepareTasks(plan: Plan, starts: Starts): Task[] {
  const due = expressionsOf(plan, [plan.boundary])
  const later = expressionsOf(plan, [])
  const dueEvery = plan.tasks / plan.dueTasks
  const firstStarts = starts.at
  let countDue = 0
  return Array.from({ length: plan.tasks }, (_, index) => {
    const isDue = index >= countDue * dueEvery
    const expression = isDue
      ? due[countDue++ % due.length]!
      : later[(index - countDue) % later.length]!
    const callback = async (): Promise<void> => {
      const now = performance.timeOrigin + performance.now()
      if (Number.isNaN(firstStarts[index]!)) firstStarts[index] = now
      starts.calls++
    }
    return { name: nameOf(index), expression, callback }
  })
}

/** Joined, since the parts of a template might be kept apart until somebody reads them. */
const nameOf = (index: number): string => ['task', String(index)].join('-')

/**
 * Different lists of minutes that all have the given ones in them, and none of the minutes around
 * the boundary besides. The bits of a number choose the others.
 */
function expressionsOf(
  { expressions, boundary: measured }: Plan,
  always: readonly number[],
): string[] {
  const firstMinute = new Date(measured).getUTCMinutes()
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

export const isTooLateFor = (now: number, { boundary }: Plan): boolean => now > boundary - 1000

/** The longest time that registration may take without a minute being due in it. */
export const longestAheadMs = (quietMinutes - 2) * minuteMs
