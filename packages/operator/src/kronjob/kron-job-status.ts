/** The last outcomes and the next run, for people; truth about a period is its Job. */
export interface KronJobStatus {
  readonly observedGeneration?: number
  /** The generation whose template the API server was asked about. */
  readonly checkedGeneration?: number
  /** Since when the resource has the timing whose fingerprint is `timing`. */
  readonly responsibleSince?: string
  readonly timing?: string
  readonly lastPeriodID?: string
  readonly lastNominalTime?: string
  /** Absent if the last period was unschedulable. */
  readonly lastChosenTime?: string
  readonly lastOutcome?: Outcome
  /** Why it was not executed. */
  readonly lastReason?: string
  readonly nextPeriodID?: string
  readonly nextNominalTime?: string
  readonly nextChosenTime?: string
  readonly active?: readonly JobReference[]
  /** As many as `active` has, for the columns of kubectl, which can't count. */
  readonly activeCount?: number
  readonly lastSuccessfulTime?: string
  readonly lastFailureTime?: string
  readonly conditions?: readonly Condition[]
}

export const outcomes = ['executed', 'skipped', 'missed', 'unschedulable'] as const
export type Outcome = (typeof outcomes)[number]

export interface JobReference {
  readonly apiVersion: 'batch/v1'
  readonly kind: 'Job'
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

export const conditionTypes = [
  'Ready',
  'InvalidSpec',
  'SchedulingError',
  'Unschedulable',
  'Suspended',
] as const
export type ConditionType = (typeof conditionTypes)[number]

export interface Condition {
  readonly type: ConditionType
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime: string
  readonly observedGeneration?: number
}
