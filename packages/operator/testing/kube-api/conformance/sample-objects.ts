import {
  apiVersionOf,
  events,
  jobs,
  type KubeObject,
  kronJobs,
  leases,
  type OwnerReference,
} from '../../../src/kube/kube-object.js'

/** Objects that a real API server takes, with as little as possible in them. */
type Labels = Readonly<Record<string, string>>

const podTemplate = {
  spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/none' }] },
}

export function sampleKronJob(namespace: string, name: string, labels: Labels = {}): KubeObject {
  return {
    apiVersion: apiVersionOf(kronJobs),
    kind: kronJobs.kind,
    metadata: { name, namespace, labels },
    spec: { schedule: '0 8 * * *', jobTemplate: { spec: { template: podTemplate } } },
  }
}

export function sampleJob(namespace: string, name: string, owner?: KubeObject): KubeObject {
  const ownerReferences = owner === undefined ? [] : [referenceTo(owner)]
  return {
    apiVersion: apiVersionOf(jobs),
    kind: jobs.kind,
    metadata: { name, namespace, ownerReferences },
    spec: { template: podTemplate },
  }
}

export function sampleLease(namespace: string, name: string, holderIdentity: string): KubeObject {
  return {
    apiVersion: apiVersionOf(leases),
    kind: leases.kind,
    metadata: { name, namespace },
    spec: {
      holderIdentity,
      leaseDurationSeconds: 15,
      renewTime: '2025-03-01T08:00:00.000000Z',
    },
  }
}

export function sampleEvent(namespace: string, name: string, about: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = about
  return {
    apiVersion: apiVersionOf(events),
    kind: events.kind,
    metadata: { name, namespace },
    involvedObject: { apiVersion, kind, namespace, name: metadata.name, uid: metadata.uid },
    reason: 'JobCreated',
    message: 'something happened',
    type: 'Normal',
    source: { component: 'kron-operator' },
    firstTimestamp: '2025-03-01T08:00:00Z',
    lastTimestamp: '2025-03-01T08:00:00Z',
    count: 1,
  }
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  const { name, uid } = metadata
  const owner = { apiVersion: apiVersion!, kind: kind!, name, uid: uid! }
  return { ...owner, controller: true, blockOwnerDeletion: true }
}
