import type {
  IntervalHint,
  OneShotHint,
  Plan,
  PlannedSource,
  RequestedRun,
  RunSource,
} from '../../domain/index.js'
import { wakeOf } from '../../scheduling/wake.js'

export interface PlanRow {
  readonly endpoint_id: string
  readonly tenant_id: string
  readonly created_at: number
  readonly wake_at: number | null
  readonly wake_kind: string
  readonly version: number
  readonly next_run_at: number | null
  readonly source: string
  readonly period_id: string | null
  readonly fence: number
  readonly held_for: number | null
  readonly held_source: string | null
  readonly lease_until: number | null
  readonly deliveries: number | null
  readonly handled_through: number | null
  readonly last_run_at: number | null
  readonly last_status: string | null
  readonly failure_count: number
  readonly suspended: number
  readonly adjustments: string | null
  readonly timing: string | null
  readonly responsible_since: number | null
}

/** Columns in the order in which statements name them. */
export const planColumns = [
  'endpoint_id',
  'tenant_id',
  'created_at',
  'wake_at',
  'wake_kind',
  'version',
  'next_run_at',
  'source',
  'period_id',
  'fence',
  'held_for',
  'held_source',
  'lease_until',
  'deliveries',
  'handled_through',
  'last_run_at',
  'last_status',
  'failure_count',
  'suspended',
  'adjustments',
  'timing',
  'responsible_since',
] as const satisfies readonly (keyof PlanRow)[]

/** Of a plan only these never change. */
const fixed: ReadonlySet<string> = new Set(['endpoint_id', 'tenant_id', 'created_at'])

/** What an update writes: SQLite writes the index of a column that is named, changed or not. */
export const changingColumns = planColumns.filter((name) => !fixed.has(name))

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
