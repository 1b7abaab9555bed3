/** Who a job runs as: all of it is set, and checked before the job is executed. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  /** Supplementary groups, sorted, without doubles. */
  readonly groups: readonly number[]
  readonly home: string
}
