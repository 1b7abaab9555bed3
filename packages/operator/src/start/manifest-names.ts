/** What `kron-operator manifests` prints, each a file of `deploy/kubernetes`. */
export const manifestNames = ['crd', 'operator', 'operator-namespaced', 'user-roles'] as const

export type ManifestName = (typeof manifestNames)[number]

/** Of these, what a cluster needs. */
export const defaultNames: readonly ManifestName[] = ['crd', 'operator', 'user-roles']
