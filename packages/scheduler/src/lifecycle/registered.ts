import {
  CronCalculationError,
  CronExpressionInvalidError,
  InvalidCronExpressionError,
} from '../errors/index.js'
import { TaskGroup } from '../polling/index.js'
import { parseExpression } from '../registration/expression.js'
import { type CheckedRegistration, checkRegistrations } from '../registration/registration.js'
import type { TimeZone } from '../zone/index.js'
import type { SchedulerPorts } from './scheduler-options.js'

/** Registrations that were found to be in order, and a group for each of their expressions. */
export interface Registered {
  /** When that was: this minute decides what a new task owes, however long the storage takes. */
  readonly now: number
  readonly registrations: ReadonlyMap<string, CheckedRegistration>
  readonly groups: ReadonlyMap<string, TaskGroup>
}

/** Throws the error of the first registration that is not in order. */
export function registered(
  received: unknown,
  { clock, zoneAt }: Pick<SchedulerPorts, 'clock' | 'zoneAt'>,
): Registered {
  const now = clock.now()
  const zone = zoneAt(now.getTime())
  const groups = new Map<string, TaskGroup>()
  const checkExpression = (expression: string): void => {
    if (!groups.has(expression)) groups.set(expression, groupOf(expression, now, zone))
  }
  const registrations = checkRegistrations(received, checkExpression)
  return { registrations, groups, now: now.getTime() }
}

function groupOf(expression: string, now: Date, zone: TimeZone): TaskGroup {
  const cron = parsed(expression)
  const group = new TaskGroup(cron, zone)
  if (group.next(now.getTime()) === null) {
    const cause = new RangeError(`no date matches "${expression}"`)
    throw new CronCalculationError(expression, now, cause)
  }
  return group
}

function parsed(expression: string): ReturnType<typeof parseExpression> {
  try {
    return parseExpression(expression)
  } catch (error) {
    if (!(error instanceof InvalidCronExpressionError)) throw error
    throw new CronExpressionInvalidError(error)
  }
}
