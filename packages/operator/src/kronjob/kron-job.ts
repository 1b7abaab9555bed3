import type { KubeObject } from '../kube/kube-object.js'

/** A resource of kind KronJob, as the API server has it. */
export interface KronJob extends KubeObject {
  readonly spec: KronJobSpec
  readonly status?: KronJobStatus
}

/** With the defaults of the schema filled in, unless the object has not been to an API server. */
export interface KronJobSpec {
  readonly schedule: string
  readonly timezone?: string
  readonly window?: { readonly mode?: string; readonly duration?: string }
  readonly distribution?: { readonly name?: string; readonly params?: DistributionParams }
  readonly seed?: { readonly strategy?: string; readonly salt?: string }
  readonly constraints?: { readonly only?: readonly string[]; readonly avoid?: readonly string[] }
  readonly policy?: {
    readonly concurrency?: string
    readonly deadline?: string
    readonly suspend?: boolean
    readonly first?: string
  }
  readonly successfulJobsHistoryLimit?: number
  readonly failedJobsHistoryLimit?: number
  readonly jobTemplate: JobTemplate
}

export type DistributionParams = Readonly<Record<string, string | number>>

/** What of a Job is written by people; it goes to the API server as it is. */
export interface JobTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly [field: string]: unknown
  }
  readonly spec: Readonly<Record<string, unknown>>
}

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
