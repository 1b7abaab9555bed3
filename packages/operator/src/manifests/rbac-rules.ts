import { events, jobs, kronJobs, leases, type Resource } from '../kube/kube-object.js'

/** What someone may do, as a Role or ClusterRole lists it. */
export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

function rule({ group, plural }: Resource, verbs: string, subresource?: string): PolicyRule {
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`
  return { apiGroups: [group], resources: [resource], verbs: verbs.split(' ') }
}

/** All that the controller does, in every namespace that it watches. */
export const operatorRules: readonly PolicyRule[] = [
  rule(kronJobs, 'get list watch'),
  rule(kronJobs, 'patch', 'status'),
  // The owner reference of a Job blocks the deletion of its KronJob. Where servers check that,
  // they ask for this.
  rule(kronJobs, 'update', 'finalizers'),
  // Jobs are deleted when they are replaced, and when there are more than the history keeps.
  rule(jobs, 'get list watch create delete'),
  rule(events, 'create'),
]

/** The lease that makes one replica the leader, in the namespace of the controller alone. */
export const leaseName = 'kron-operator'
export const leaseRules: readonly PolicyRule[] = [
  // To create something by name can't be granted: servers do not know the name by then.
  rule(leases, 'create'),
  { ...rule(leases, 'get update'), resourceNames: [leaseName] },
]

/** People who may see what is in a namespace. */
export const viewRules: readonly PolicyRule[] = [
  rule(kronJobs, 'get list watch'),
  rule(kronJobs, 'get', 'status'),
]

/** People who may change what is in a namespace; the status stays with the controller. */
export const editRules: readonly PolicyRule[] = [
  rule(kronJobs, 'create update patch delete deletecollection'),
  // For `kronctl run`: the owner reference of its Job is that of scheduled ones.
  rule(kronJobs, 'update', 'finalizers'),
]
