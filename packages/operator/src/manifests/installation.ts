/** One controller in a cluster: its name, where it is, and what it looks after. */
export interface Installation {
  readonly name: string
  /** Of the controller itself. */
  readonly namespace: string
  /** KronJobs of all namespaces, or of its own only. */
  readonly watches: 'cluster' | 'own namespace'
  /** Of the image and the labels. */
  readonly version: string
  readonly image: string
  readonly replicas: number
}

/** As the manifests have it; the Helm chart is for those who need something else. */
export function defaultInstallation(
  version: string,
  watches: Installation['watches'] = 'cluster',
): Installation {
  return {
    name: 'kron-operator',
    namespace: 'kron-system',
    watches,
    version,
    image: `kron-operator:${version}`,
    replicas: 2,
  }
}

/** Which Pods are its own. */
export const selectorLabels = ({ name }: Installation): Record<string, string> => ({
  'app.kubernetes.io/name': 'kron-operator',
  'app.kubernetes.io/instance': name,
})

export const labelsOf = (installation: Installation): Record<string, string> => ({
  ...selectorLabels(installation),
  'app.kubernetes.io/version': installation.version,
})
