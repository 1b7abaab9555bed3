export type JobStatus = 'active' | 'paused' | 'archived'

/** A container of endpoints. While it is not active, none of them is planned. */
export interface Job {
  readonly id: string
  readonly tenantId: string
  readonly name: string
  readonly description: string | null
  readonly status: JobStatus
  /** Counts changes; it is the ETag. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}
