import { formatInstant } from '@kron/core'
import { type KubeObject, kronJobs, type OwnerReference } from '../kube/index.js'
import { instantOf, jobName, marks, nominalTimeOf } from './job-name.js'

/** What we keep of a Job that a KronJob owns. A Job without a period was started by hand. */
export interface OwnedJob {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly ownerUid: string
  readonly resourceVersion: string
  readonly createdAt: number
  readonly period: { readonly nominalTime: number; readonly chosenTime: number | null } | null
  readonly state: 'active' | 'succeeded' | 'failed'
  /** Null while it is active, or when the Job does not say. */
  readonly finishedAt: number | null
  /** Since when it is being deleted; it counts as active until it is gone. */
  readonly deletingSince: number | null
}

/** Null for a Job that is not controlled by a KronJob. */
export function ownedJob(job: KubeObject): OwnedJob | null {
  const { metadata } = job
  const owner = controllingKronJob(job)
  if (owner === null) return null
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid ?? '',
    ownerUid: owner.uid,
    resourceVersion: metadata.resourceVersion ?? '',
    createdAt: instantOf(metadata.creationTimestamp) ?? 0,
    period: periodOf(job, owner.name),
    ...endOf(job),
    deletingSince: deletingSince(metadata),
  }
}

/** A time that can't be read is one all the same. */
const deletingSince = ({ deletionTimestamp }: KubeObject['metadata']): number | null =>
  deletionTimestamp === undefined ? null : (instantOf(deletionTimestamp) ?? 0)

const group = `${kronJobs.group}/`

function controllingKronJob({ metadata }: KubeObject): OwnerReference | null {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller === true)
  if (controller === undefined || controller.kind !== kronJobs.kind) return null
  return controller.apiVersion.startsWith(group) ? controller : null
}

/**
 * A mark alone proves nothing: it may come with a template, a copy of a Job, or somebody's hand. The
 * name does, since it contains a hash of the period and can't be changed. A Job whose marks were all
 * edited still holds its name, so its period is not executed twice: the next try finds the Job.
 */
function periodOf({ metadata }: KubeObject, kronJob: string): OwnedJob['period'] {
  const { name, labels, annotations } = metadata
  const marked = [annotations?.[marks.periodId], labels?.[marks.periodId]].map(nominalTimeOf)
  const nominalTime = marked.find((at) => at !== null && isNameOf(name, kronJob, at)) ?? null
  if (nominalTime === null) return null
  return { nominalTime, chosenTime: instantOf(annotations?.[marks.chosenTime]) }
}

const isNameOf = (name: string, kronJob: string, nominalTime: number): boolean =>
  name === jobName(kronJob, formatInstant(nominalTime))

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
