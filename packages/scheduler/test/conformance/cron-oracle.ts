import { Duration } from '@kron/scheduler'
import { shortTime, World } from '../world.js'

const msPerMinute = 60_000
const lowest = [0, 0, 1, 1, 0]
const highest = [59, 23, 31, 12, 6]

/** All numbers of a field, written out one by one. */
function numbersOf(field: string, index: number): number[] {
  const numbers: number[] = []
  for (const element of field.split(',')) {
    const [low, high = low] = element === '*' ? [lowest[index], highest[index]] : ends(element)
    for (let number = low!; number <= high!; number++) numbers.push(number)
  }
  return numbers
}

const ends = (element: string): number[] => element.split('-').map(Number)

/**
 * Whether the expression matches a minute, by its definition and nothing clever: the independent
 * judge of what the scheduler does. The wall clock is read off the UTC side of the date.
 */
export function matchesByDefinition(expression: string, wall: Date): boolean {
  const fields = expression.split(/[ \t]+/).filter((field) => field !== '')
  const [minute, hour, day, month, weekday] = [
    wall.getUTCMinutes(),
    wall.getUTCHours(),
    wall.getUTCDate(),
    wall.getUTCMonth() + 1,
    wall.getUTCDay(),
  ].map((value, index) => numbersOf(fields[index]!, index).includes(value))
  const isDay = fields[2] === '*' || fields[4] === '*' ? day && weekday : day || weekday
  return minute! && hour! && isDay! && month!
}

export interface Window {
  readonly start: string
  readonly days: number
  readonly timeZone: string
  /** Of the zone, the same all through the window. */
  readonly offsetMinutes: number
}

/** The minutes of the window that each expression ought to run in. */
export function expectedRuns(window: Window, expressions: readonly string[]): Runs {
  const runs = emptyRuns(expressions)
  const start = Date.parse(window.start)
  for (let count = 0; count < window.days * 1440; count++) {
    const at = start + count * msPerMinute
    const wall = new Date(at + window.offsetMinutes * msPerMinute)
    for (const expression of expressions) {
      if (matchesByDefinition(expression, wall)) runs.get(expression)!.push(shortTime(new Date(at)))
    }
  }
  return runs
}

/** When the callbacks were called: one scheduler, a task for each expression. */
export async function actualRuns(window: Window, expressions: readonly string[]): Promise<Runs> {
  const world = new World(window.start, { timeZone: window.timeZone })
  const runs = emptyRuns(expressions)
  const scheduler = world.scheduler()
  await scheduler.initialize(
    expressions.map((expression) => [
      expression,
      expression,
      async () => void runs.get(expression)!.push(world.now),
      Duration.minutes(1),
    ]),
  )
  await world.clock.advanceBy(window.days * 1440 * msPerMinute - 1)
  await scheduler.stop()
  return runs
}

export type Runs = ReadonlyMap<string, string[]>

const emptyRuns = (expressions: readonly string[]): Runs =>
  new Map(expressions.map((expression) => [expression, []]))
