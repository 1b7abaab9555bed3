import type { KubeObject } from '../kube/kube-object.js'

/** A KronJob as people write and apply it. */
export interface KronJobManifest {
  readonly apiVersion: 'kron.io/v1alpha1'
  readonly kind: 'KronJob'
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: KronJobSpec
}

/** A KronJob as the API server has it. */
export interface KronJob extends KubeObject {
  readonly spec: KronJobSpec
  readonly status?: KronJobStatus
}

/** When to run, and what. The API server fills in the defaults of what is left out. */
export interface KronJobSpec {
  /** Five fields of cron, or a macro such as `@daily`, in the time zone of the KronJob. */
  readonly schedule: string
  /** The IANA name of a time zone, such as `Europe/Paris`; `UTC` if there is none. */
  readonly timezone?: string
  /** The stretch of time from which the start of each Job is chosen. */
  readonly window?: { readonly mode?: WindowMode; readonly duration?: string }
  readonly distribution?: {
    readonly name?: DistributionName
    readonly params?: DistributionParams
  }
  readonly seed?: { readonly strategy?: SeedStrategy; readonly salt?: string }
  /** Clauses such as `dow=MON-FRI`: all of `only` have to hold, and none of `avoid` may. */
  readonly constraints?: { readonly only?: readonly string[]; readonly avoid?: readonly string[] }
  readonly policy?: {
    /** What happens while a Job of the KronJob is still active. */
    readonly concurrency?: Concurrency
    /** How late a Job may still be started, such as `10m`. */
    readonly deadline?: string
    readonly suspend?: boolean
    /** What happens to a period that was due before the KronJob had its present schedule. */
    readonly first?: FirstPeriod
  }
  readonly successfulJobsHistoryLimit?: number
  readonly failedJobsHistoryLimit?: number
  readonly jobTemplate: JobTemplate
}

/** Core knows more modes; these are the ones that the specification gives a KronJob. */
export const windowModes = ['after', 'around'] as const
export type WindowMode = (typeof windowModes)[number]

export type DistributionName = 'uniform' | 'skewEarly' | 'skewLate' | 'normal' | 'exponential'

/** Each belongs to some distributions; `sample` to all of them. */
export interface DistributionParams {
  readonly shape?: number | string
  readonly lambda?: number | string
  /** A duration, such as `20m`. */
  readonly sigma?: string
  readonly mu?: 'nominal' | 'start' | 'mid' | 'end'
  readonly dir?: 'early' | 'late'
  readonly sample?: 'rejection' | 'exact'
}

export const seedStrategies = ['stable', 'daily', 'weekly'] as const
export type SeedStrategy = (typeof seedStrategies)[number]

export const concurrencies = ['forbid', 'allow', 'replace'] as const
export type Concurrency = (typeof concurrencies)[number]

export const firstPeriods = ['wait', 'run'] as const
export type FirstPeriod = (typeof firstPeriods)[number]

/** What of a Job is written by people; it goes to the API server as it is. */
export interface JobTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly [field: string]: unknown
  }
  /** A JobSpec of Kubernetes. */
  readonly spec: object
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
