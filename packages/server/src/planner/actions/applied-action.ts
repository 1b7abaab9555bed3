import {
  type AuditedPlan,
  auditedPlan,
  isPlanners,
  type Plan,
  type PlannerAction,
} from '../../domain/index.js'

export interface AppliedAction {
  readonly plan: Plan
  /** For the audit log. */
  readonly name: string
  readonly before: Partial<AuditedPlan>
  readonly after: Partial<AuditedPlan>
}

/** What an action that was not refused makes of a plan, before it is planned again. */
export function appliedAction(
  plan: Plan,
  action: PlannerAction,
  by: string,
  now: number,
): AppliedAction {
  const changed = changedPlan(plan, action, by, now)
  const name = auditNames[action.kind]
  return { plan: changed, name, before: audited(plan, action), after: audited(changed, action) }
}

const auditNames: Readonly<Record<PlannerAction['kind'], string>> = {
  proposeInterval: 'endpoint.hint_interval',
  proposeNextTime: 'endpoint.hint_one_shot',
  pauseUntil: 'endpoint.pause',
  clearHints: 'endpoint.clear_hints',
}

function changedPlan(plan: Plan, action: PlannerAction, by: string, now: number): Plan {
  switch (action.kind) {
    case 'proposeInterval': {
      const { intervalMs, reason } = action
      const expiresAt = now + action.ttlMinutes * 60_000
      return { ...plan, intervalHint: { intervalMs, expiresAt, reason, by } }
    }
    case 'proposeNextTime': {
      const { nextRunAt, reason } = action
      const expiresAt = now + action.ttlMinutes * 60_000
      return { ...plan, oneShotHint: { nextRunAt, expiresAt, reason, by } }
    }
    case 'pauseUntil':
      return { ...plan, pausedUntil: action.until, pauseReason: action.reason }
    case 'clearHints':
      return {
        ...plan,
        intervalHint: isPlanners(plan.intervalHint) ? null : plan.intervalHint,
        oneShotHint: isPlanners(plan.oneShotHint) ? null : plan.oneShotHint,
      }
  }
}

/** The fields that the action is about. */
function audited(plan: Plan, { kind }: PlannerAction): Partial<AuditedPlan> {
  const { pausedUntil, pauseReason, intervalHint, oneShotHint } = auditedPlan(plan)
  if (kind === 'pauseUntil') return { pausedUntil, pauseReason }
  if (kind === 'proposeInterval') return { intervalHint }
  return kind === 'proposeNextTime' ? { oneShotHint } : { intervalHint, oneShotHint }
}
