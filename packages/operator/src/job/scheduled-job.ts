import { type Decision, formatInstant } from '@kron/core'
import type { KronJob } from '../kronjob/index.js'
import {
  apiVersionOf,
  jobs,
  type KubeObject,
  kronJobs,
  type ObjectMeta,
  type OwnerReference,
} from '../kube/index.js'
import { isMark, jobName, marks, nameLabel, periodLabel, suffixed } from './job-name.js'

/**
 * The Job of one period: the template as it stands, with its name, our marks and its owner. Marks
 * that the template brings would be those of another Job, so they are left out.
 */
export function scheduledJob(kronJob: KronJob, decision: Decision): KubeObject {
  const { periodId, nominalTime, chosenTime, seedHash } = decision
  return jobOf(kronJob, jobName(kronJob.metadata.name, periodId), {
    labels: { [marks.periodId]: periodLabel(periodId) },
    annotations: {
      [marks.periodId]: periodId,
      [marks.nominalTime]: formatInstant(nominalTime),
      ...(chosenTime !== null && { [marks.chosenTime]: formatInstant(chosenTime) }),
      [marks.seedHash]: seedHash,
    },
  })
}

/** A Job that somebody wants now, outside of any period. */
export function manualJob(kronJob: KronJob, suffix: string): KubeObject {
  return jobOf(kronJob, suffixed(kronJob.metadata.name, `manual-${suffix}`), {
    labels: {},
    annotations: { [marks.run]: 'manual' },
  })
}

/** A Job that is never created: the API server is asked whether it would accept it. */
export function checkedJob(kronJob: KronJob): KubeObject {
  return jobOf(kronJob, suffixed(kronJob.metadata.name, 'check'), {
    labels: {},
    annotations: { [marks.run]: 'check' },
  })
}

type Texts = Readonly<Record<string, string>>

function jobOf(
  kronJob: KronJob,
  name: string,
  own: { readonly labels: Texts; readonly annotations: Texts },
): KubeObject {
  const { metadata, spec } = kronJob.spec.jobTemplate
  const { namespace, name: kronJobName } = kronJob.metadata
  return {
    apiVersion: apiVersionOf(jobs),
    kind: jobs.kind,
    metadata: {
      ...withoutIdentity(metadata),
      name,
      ...(namespace !== undefined && { namespace }),
      labels: {
        ...withoutMarks(metadata?.labels),
        [marks.name]: nameLabel(kronJobName),
        ...own.labels,
      },
      annotations: { ...withoutMarks(metadata?.annotations), ...own.annotations },
      ownerReferences: [ownerOf(kronJob)],
    },
    spec,
  }
}

function ownerOf({ metadata }: KronJob): OwnerReference {
  return {
    apiVersion: apiVersionOf(kronJobs),
    kind: kronJobs.kind,
    name: metadata.name,
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  }
}

const withoutMarks = (texts: Texts | undefined): Texts =>
  Object.fromEntries(Object.entries(texts ?? {}).filter(([key]) => !isMark(key)))

/** Fields of metadata that belong to one object, and can't come from a template. */
const ofAnObject: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generateName',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
])

function withoutIdentity(metadata: object | undefined): Partial<ObjectMeta> {
  const entries = Object.entries(metadata ?? {})
  return Object.fromEntries(entries.filter(([field]) => !ofAnObject.has(field)))
}
