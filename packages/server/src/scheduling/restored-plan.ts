import { instantText, type Plan } from '../domain/index.js'

/**
 * A plan as it is after a restore from a backup at `now`. What came between the backup and now may
 * have been sent, and nobody knows: so nothing of it is sent, neither runs that were under way or
 * asked for in the backup nor periods and hints of that time. A worker makes the next plan.
 */
export function restoredPlan(plan: Plan, now: number): Plan {
  const { held, responsibility, oneShotHint, handledThrough, suspended } = plan
  const restored: Plan = {
    ...plan,
    requested: null,
    held: null,
    fence: held === null ? plan.fence : plan.fence + 1,
    handledThrough: Math.max(handledThrough ?? now, now),
    responsibility: responsibility && { ...responsibility, since: now },
    oneShotHint: oneShotHint !== null && oneShotHint.nextRunAt <= now ? null : oneShotHint,
    restoredAt: now,
  }
  if (suspended) return { ...restored, nextRunAt: null, periodId: null }
  return { ...restored, nextRunAt: now, source: 'paused', periodId: instantText(now) }
}
