import type { HostJob, JobRecord } from './job-record.js'

export interface ReloadPlan {
  readonly added: readonly HostJob[]
  readonly changed: readonly (readonly [JobRecord, HostJob])[]
  readonly removed: readonly JobRecord[]
}

export interface ReloadSummary {
  readonly jobs: number
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** What is different. A retired job that comes back keeps its record, which knows what runs. */
export function reloadPlan(
  records: ReadonlyMap<string, JobRecord>,
  hostJobs: readonly HostJob[],
): ReloadPlan {
  const added: HostJob[] = []
  const changed: [JobRecord, HostJob][] = []
  const kept = new Set<string>()
  for (const hostJob of hostJobs) {
    kept.add(hostJob.identity)
    const record = records.get(hostJob.identity)
    if (record === undefined) added.push(hostJob)
    else if (record.retired || !record.isDefinedAs(hostJob)) changed.push([record, hostJob])
  }
  const removed = [...records.values()].filter(
    ({ identity, retired }) => !retired && !kept.has(identity),
  )
  return { added, changed, removed }
}
