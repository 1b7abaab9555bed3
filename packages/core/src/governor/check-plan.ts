import { checkInstant, latestInstant } from '../calendar/instant.js'
import { invalid, outOfRange } from '../definition/flaw.js'
import { ValidationError } from '../errors/index.js'
import type { EndpointPlan } from './endpoint-plan.js'

const instants = [
  'pausedUntil',
  'aiHintNextRunAt',
  'aiHintNextRunExpiresAt',
  'aiHintIntervalExpiresAt',
  'lastRunAt',
] as const

/** An interval of nothing would never let go of the worker. */
const positive = ['aiHintIntervalMs', 'baselineIntervalMs'] as const
const notNegative = ['minIntervalMs', 'maxIntervalMs'] as const

/** Throws unless the plan can be followed. */
export function checkPlan(plan: EndpointPlan): void {
  if (plan === null || typeof plan !== 'object') {
    throw invalid('KRON_FIELD_INVALID', 'endpoint', plan, 'an object')
  }
  for (const field of instants) checkInstant(plan[field] ?? 0, field)
  checkInstant(plan.createdAt, 'createdAt')
  // What is planned must be a date as well.
  const longest = latestInstant - (plan.lastRunAt ?? plan.createdAt)
  for (const field of positive) checkInterval(plan, field, 1, longest)
  for (const field of notNegative) checkInterval(plan, field, 0, longest)
  checkInterval(plan, 'jitterMs', 0, longest - (plan.baselineIntervalMs ?? 0))
  checkBaseline(plan)
  const { minIntervalMs, maxIntervalMs } = plan
  if ((minIntervalMs ?? 0) > (maxIntervalMs ?? Number.POSITIVE_INFINITY)) {
    throw contradiction(
      'minIntervalMs',
      minIntervalMs,
      `at most maxIntervalMs (${maxIntervalMs})`,
      `minIntervalMs ${minIntervalMs} is greater than maxIntervalMs ${maxIntervalMs}`,
    )
  }
}

function checkInterval(
  plan: EndpointPlan,
  field: IntervalField,
  least: number,
  most: number,
): void {
  const value = plan[field]
  if (value === null || value === undefined) return
  if (Number.isSafeInteger(value) && value >= least && value <= most) return
  const isTooLong = Number.isInteger(value) && value > most
  const allowed = `a whole number of milliseconds, at ${isTooLong ? `most ${most}` : `least ${least}`}`
  throw outOfRange('KRON_PLAN_INVALID', field, value, allowed)
}

type IntervalField = (typeof positive)[number] | (typeof notNegative)[number] | 'jitterMs'

function checkBaseline(plan: EndpointPlan): void {
  const hasCron = (plan.baselineCron ?? null) !== null
  const hasInterval = (plan.baselineIntervalMs ?? null) !== null
  if (hasCron !== hasInterval) return
  const found = hasCron ? 'both' : 'neither'
  throw contradiction(
    'baselineCron',
    plan.baselineCron,
    'exactly one of baselineCron and baselineIntervalMs',
    `an endpoint has exactly one baseline (baselineCron or baselineIntervalMs), got ${found}`,
  )
}

function contradiction(
  field: string,
  value: unknown,
  allowed: string,
  message: string,
): ValidationError {
  return new ValidationError('KRON_PLAN_INVALID', message, { field, value, allowed })
}
