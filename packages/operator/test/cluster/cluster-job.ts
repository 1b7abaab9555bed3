import type { Condition, ConditionType, KronJob, KronJobSpec } from '../../src/kronjob/index.js'
import type { KubeObject } from '../../src/kube/index.js'
import { type Fate, fate } from './kubelet.js'

interface Wishes {
  readonly fate?: Fate
  /** More for the specification of its Pods, and for their metadata. */
  readonly pod?: object
  readonly podMetadata?: object
}

/** A KronJob for a cluster without nodes: what becomes of its Pods is up to the Kubelet. */
export function clusterJob(
  name: string,
  spec: Partial<KronJobSpec>,
  { fate: destiny = 'succeed', pod = {}, podMetadata = {} }: Wishes = {},
): KronJob {
  const containers = [{ name: 'work', image: 'example.com/work:1' }]
  const template = {
    metadata: { annotations: { [fate]: destiny }, ...podMetadata },
    spec: { restartPolicy: 'Never', containers, ...pod },
  }
  return {
    apiVersion: 'kron.io/v1alpha1',
    kind: 'KronJob',
    metadata: { name },
    spec: {
      schedule: '* * * * *',
      // A Pod that fails is a Job that fails.
      jobTemplate: { spec: { backoffLimit: 0, template } },
      ...spec,
    },
  }
}

export function conditionOf({ status }: KronJob, type: ConditionType): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type)
}

export const isTrue = (kronJob: KronJob, type: ConditionType): boolean =>
  conditionOf(kronJob, type)?.status === 'True'

export const periodOf = ({ metadata }: KubeObject): string =>
  metadata.annotations?.['kron.io/period-id'] ?? ''

interface JobStatus {
  readonly conditions?: readonly { readonly type: string; readonly status: string }[]
}

export function hasEnded(job: KubeObject): boolean {
  const { conditions = [] } = (job['status'] ?? {}) as JobStatus
  return conditions.some(({ type, status }) => /Complete|Failed/.test(type) && status === 'True')
}
