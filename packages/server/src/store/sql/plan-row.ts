import type {
  IntervalHint,
  OneShotHint,
  Plan,
  PlannedSource,
  RequestedRun,
  RunSource,
} from '../../domain/index.js'
import { wakeOf } from '../../scheduling/wake.js'
import { namesOf, type RowOf } from './columns.js'

/** All columns of `plans` but those that the database makes of them (see migrations.ts). */
export const planColumns = {
  endpoint_id: 'text',
  tenant_id: 'text',
  created_at: 'bigint',
  wake_at: 'bigint or null',
  wake_kind: 'text',
  version: 'bigint',
  next_run_at: 'bigint or null',
  source: 'text',
  period_id: 'text or null',
  fence: 'bigint',
  held_for: 'bigint or null',
  held_source: 'text or null',
  lease_until: 'bigint or null',
  deliveries: 'bigint or null',
  handled_through: 'bigint or null',
  last_run_at: 'bigint or null',
  last_status: 'text or null',
  failure_count: 'bigint',
  suspended: 'bigint',
  adjustments: 'text or null',
  timing: 'text or null',
  responsible_since: 'bigint or null',
} as const

export type PlanRow = RowOf<typeof planColumns>

export const planColumnNames = namesOf(planColumns)
export const selectedPlan: string = planColumnNames.join(', ')

/** Of a plan only these never change. */
const fixed: ReadonlySet<string> = new Set(['endpoint_id', 'tenant_id', 'created_at'])

/** What an update writes: SQLite writes the index of a column that is named, changed or not. */
export const changedPlanColumns = planColumnNames.filter((name) => !fixed.has(name))

/** What most endpoints have none of, in one column that is null then. */
interface Adjustments {
  readonly requested?: RequestedRun
  readonly exact?: true
  readonly pausedUntil?: number
  readonly pauseReason?: string
  readonly intervalHint?: IntervalHint
  readonly oneShotHint?: OneShotHint
  readonly restoredAt?: number
}

export function planOf(row: PlanRow): Plan {
  const adjusted = row.adjustments === null ? {} : (JSON.parse(row.adjustments) as Adjustments)
  return {
    endpointId: row.endpoint_id,
    tenantId: row.tenant_id,
    version: row.version,
    nextRunAt: row.next_run_at,
    source: row.source as PlannedSource,
    periodId: row.period_id,
    requested: adjusted.requested ?? null,
    held:
      row.held_for === null
        ? null
        : {
            scheduledFor: row.held_for,
            source: row.held_source as RunSource,
            leaseUntil: row.lease_until!,
            deliveries: row.deliveries!,
          },
    fence: row.fence,
    handledThrough: row.handled_through,
    responsibility:
      row.timing === null ? null : { timing: row.timing, since: row.responsible_since! },
    lastRunAt: row.last_run_at,
    lastStatus: row.last_status,
    failureCount: row.failure_count,
    pausedUntil: adjusted.pausedUntil ?? null,
    pauseReason: adjusted.pauseReason ?? null,
    intervalHint: adjusted.intervalHint ?? null,
    oneShotHint: adjusted.oneShotHint ?? null,
    suspended: row.suspended !== 0,
    exact: adjusted.exact ?? false,
    restoredAt: adjusted.restoredAt ?? null,
    createdAt: row.created_at,
  }
}

export function planRow(plan: Plan): PlanRow {
  const wake = wakeOf(plan)
  const { held } = plan
  return {
    endpoint_id: plan.endpointId,
    tenant_id: plan.tenantId,
    created_at: plan.createdAt,
    wake_at: wake.at,
    wake_kind: wake.kind,
    version: plan.version,
    next_run_at: plan.nextRunAt,
    source: plan.source,
    period_id: plan.periodId,
    fence: plan.fence,
    held_for: held?.scheduledFor ?? null,
    held_source: held?.source ?? null,
    lease_until: held?.leaseUntil ?? null,
    deliveries: held?.deliveries ?? null,
    handled_through: plan.handledThrough,
    last_run_at: plan.lastRunAt,
    last_status: plan.lastStatus,
    failure_count: plan.failureCount,
    suspended: plan.suspended ? 1 : 0,
    adjustments: adjustmentsText(plan),
    timing: plan.responsibility?.timing ?? null,
    responsible_since: plan.responsibility?.since ?? null,
  }
}

function adjustmentsText(plan: Plan): string | null {
  const { requested, exact, pausedUntil, pauseReason, intervalHint, oneShotHint } = plan
  // A run since then says more.
  const isRestored = plan.restoredAt !== null && plan.restoredAt > (plan.lastRunAt ?? 0)
  const isHinted = intervalHint !== null || oneShotHint !== null
  const isPlain = requested === null && !exact && pausedUntil === null
  if (isPlain && !isHinted && !isRestored) return null
  const adjusted: Adjustments = {
    ...(requested !== null && { requested }),
    ...(exact && { exact }),
    ...(pausedUntil !== null && { pausedUntil }),
    ...(pauseReason !== null && { pauseReason }),
    ...(intervalHint !== null && { intervalHint }),
    ...(oneShotHint !== null && { oneShotHint }),
    ...(isRestored && { restoredAt: plan.restoredAt! }),
  }
  return JSON.stringify(adjusted)
}
