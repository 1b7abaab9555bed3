import type { KubeObject } from '../kube/kube-object.js'
import type { KronJobStatus } from './kron-job-status.js'

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
