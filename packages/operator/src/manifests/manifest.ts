import type { KubeObject, ObjectMeta } from '../kube/kube-object.js'
import { type Installation, labelsOf } from './installation.js'

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
