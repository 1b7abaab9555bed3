import { type Installation, labelsOf } from './installation.js'
import { type Manifest, namespacedMeta } from './manifest.js'

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
