import { instantText } from './instant.js'
import { giverOf, type IntervalHint, type OneShotHint, type Plan } from './plan.js'

/** One change: who, what, before, after. Secrets never appear in it. */
export interface AuditEntry {
  readonly id: string
  readonly tenantId: string
  readonly at: number
  /** `key:<id>`, `planner:rules`, `system`. */
  readonly actor: string
  /** Such as `endpoint.pause`. */
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
}

type Written<Hint, Instants extends keyof Hint> = Omit<Hint, Instants> & {
  readonly [Instant in Instants]: string
}

/** With the name of who gave it. */
type Named<Hint> = Omit<Hint, 'keyName'> & { readonly giver: string }

/** Hints as people see them: instants are text. */
interface HintDocuments {
  readonly interval: Written<Named<IntervalHint>, 'expiresAt'> | null
  readonly oneShot: Written<Named<OneShotHint>, 'expiresAt' | 'nextRunAt'> | null
}

export function hintDocuments({ intervalHint, oneShotHint }: Plan): HintDocuments {
  return {
    interval: intervalHint && {
      ...named(intervalHint),
      expiresAt: instantText(intervalHint.expiresAt),
    },
    oneShot: oneShotHint && {
      ...named(oneShotHint),
      nextRunAt: instantText(oneShotHint.nextRunAt),
      expiresAt: instantText(oneShotHint.expiresAt),
    },
  }
}

function named<Hint extends IntervalHint | OneShotHint>(hint: Hint): Named<Hint> {
  const { keyName: _, ...others } = hint
  return { ...others, giver: giverOf(hint) }
}

/** What the audit log keeps of a plan: that which people and planners may change. */
export interface AuditedPlan {
  readonly pausedUntil: string | null
  readonly pauseReason: string | null
  readonly intervalHint: HintDocuments['interval']
  readonly oneShotHint: HintDocuments['oneShot']
  readonly failureCount: number
}

export function auditedPlan(plan: Plan): AuditedPlan {
  const { pausedUntil, pauseReason, failureCount } = plan
  const { interval, oneShot } = hintDocuments(plan)
  return {
    pausedUntil: pausedUntil === null ? null : instantText(pausedUntil),
    pauseReason,
    intervalHint: interval,
    oneShotHint: oneShot,
    failureCount,
  }
}
