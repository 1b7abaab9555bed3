/**
 * Objects of Kubernetes as the API server sends them: plain JSON. Nothing is left out that we do
 * not know, so that a template reaches the API server as it was written.
 */
export interface KubeObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: ObjectMeta
  readonly [field: string]: unknown
}

export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
  readonly [field: string]: unknown
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** A kind of object, and where the API server has it. All that we use are namespaced. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
}

export const kronJobs: Resource = {
  group: 'kron.io',
  version: 'v1alpha1',
  plural: 'kronjobs',
  kind: 'KronJob',
}
export const jobs: Resource = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job' }
export const events: Resource = { group: '', version: 'v1', plural: 'events', kind: 'Event' }
export const leases: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
}

/** As `apiVersion` of an object spells it. */
export const apiVersionOf = ({ group, version }: Resource): string =>
  group === '' ? version : `${group}/${version}`
