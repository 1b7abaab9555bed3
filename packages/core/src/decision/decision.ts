import type { ConstraintSpec, DistributionSpec, SeedSpec } from '../definition/index.js'

/** When one period of a job runs, with everything that reproduces the choice. Instants in ms. */
export interface Decision {
  /** RFC 3339 UTC of the nominal time. */
  readonly periodId: string
  /** What of the period entered the seed. */
  readonly periodKey: string
  readonly nominalTime: number
  readonly windowStart: number
  readonly windowEnd: number
  /** null when the period is unschedulable. */
  readonly chosenTime: number | null
  readonly timezone: string
  readonly distribution: DistributionSpec
  readonly seed: SeedSpec
  readonly seedHash: string
  /** Numbers drawn; 0 when the window is a single second. */
  readonly attempts: number
  readonly unschedulable: boolean
  readonly reason?: string
  readonly constraintsApplied: ConstraintSpec
}
