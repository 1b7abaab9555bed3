import type { KubeObject, ObjectMeta } from '../kube/kube-object.js'

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

export function namespace(installation: Installation): Manifest {
  const labels = { ...labelsOf(installation), ...podSecurity(installation) }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: installation.namespace, labels } }
}

/** The controller needs no privilege; Jobs of people, in a namespace that it shares, may well. */
const podSecurity = ({ watches }: Installation): Record<string, string> =>
  watches === 'cluster' ? { 'pod-security.kubernetes.io/enforce': 'restricted' } : {}

export function serviceAccount(installation: Installation): Manifest {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: namespacedMeta(installation) }
}

/** An object that is applied to a cluster. */
export interface Manifest extends KubeObject {
  readonly apiVersion: string
  readonly kind: string
}

export function namespacedMeta(installation: Installation): ObjectMeta {
  const { name, namespace } = installation
  return { name, namespace, labels: labelsOf(installation) }
}

export function clusterMeta(installation: Installation): ObjectMeta {
  return { name: installation.name, labels: labelsOf(installation) }
}
