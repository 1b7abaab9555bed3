import { type KubeObject, kronJobs } from '../kube/index.js'
import { instantOf, marks, nominalTimeOf } from './job-marks.js'

/** What we keep of a Job that a KronJob owns. A Job without a period was wanted by somebody. */
export interface OwnedJob {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly ownerUid: string
  readonly resourceVersion: string
  readonly createdAt: number
  readonly period: { readonly nominalTime: number; readonly chosenTime: number | null } | null
  readonly state: 'active' | 'succeeded' | 'failed'
  /** Null while it is active, or when the Job does not tell. */
  readonly finishedAt: number | null
  /** It is being deleted, and counts as active until it is gone. */
  readonly isDeleting: boolean
}

/** Null for a Job that is not controlled by a KronJob. */
export function ownedJob(job: KubeObject): OwnedJob | null {
  const { metadata } = job
  const ownerUid = controllingKronJob(job)
  if (ownerUid === null) return null
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid ?? '',
    ownerUid,
    resourceVersion: metadata.resourceVersion ?? '',
    createdAt: instantOf(metadata.creationTimestamp) ?? 0,
    period: periodOf(job),
    ...endOf(job),
    isDeleting: metadata.deletionTimestamp !== undefined,
  }
}

const group = `${kronJobs.group}/`

function controllingKronJob({ metadata }: KubeObject): string | null {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller === true)
  if (controller === undefined || controller.kind !== kronJobs.kind) return null
  return controller.apiVersion.startsWith(group) ? controller.uid : null
}

/** The annotation may have been edited; the label says the same. */
function periodOf({ metadata: { labels, annotations } }: KubeObject): OwnedJob['period'] {
  const nominalTime =
    nominalTimeOf(annotations?.[marks.periodId]) ?? nominalTimeOf(labels?.[marks.periodId])
  if (nominalTime === null) return null
  return { nominalTime, chosenTime: instantOf(annotations?.[marks.chosenTime]) }
}

interface JobStatus {
  readonly completionTime?: string
  readonly conditions?: readonly {
    readonly type: string
    readonly status: string
    readonly lastTransitionTime?: string
  }[]
}

function endOf(job: KubeObject): Pick<OwnedJob, 'state' | 'finishedAt'> {
  const status = job['status'] as JobStatus | undefined
  const isTrue = (type: string) =>
    status?.conditions?.find((condition) => condition.type === type && condition.status === 'True')
  const complete = isTrue('Complete')
  if (complete !== undefined) {
    const at = instantOf(status?.completionTime) ?? instantOf(complete.lastTransitionTime)
    return { state: 'succeeded', finishedAt: at }
  }
  const failed = isTrue('Failed')
  if (failed === undefined) return { state: 'active', finishedAt: null }
  return { state: 'failed', finishedAt: instantOf(failed.lastTransitionTime) }
}

export const isActive = ({ state }: OwnedJob): boolean => state === 'active'
