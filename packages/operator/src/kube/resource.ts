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
