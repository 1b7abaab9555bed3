import type { Installation } from './installation.js'
import { clusterMeta, type Manifest, namespacedMeta } from './manifest.js'
import { leaseRules, operatorRules, type PolicyRule } from './rbac-rules.js'

const apiGroup = 'rbac.authorization.k8s.io'
const apiVersion = `${apiGroup}/v1`

/** What the controller may do, given to its account; with leases in its own namespace only. */
export function roles(installation: Installation): Manifest[] {
  if (installation.watches === 'cluster') {
    return [
      {
        apiVersion,
        kind: 'ClusterRole',
        metadata: clusterMeta(installation),
        rules: operatorRules,
      },
      clusterRoleBinding(installation),
      role(installation, leaseRules),
      roleBinding(installation),
    ]
  }
  return [role(installation, [...operatorRules, ...leaseRules]), roleBinding(installation)]
}

function role(installation: Installation, rules: readonly PolicyRule[]): Manifest {
  return { apiVersion, kind: 'Role', metadata: namespacedMeta(installation), rules }
}

function clusterRoleBinding(installation: Installation): Manifest {
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: clusterMeta(installation),
    ...grant('ClusterRole', installation),
  }
}

function roleBinding(installation: Installation): Manifest {
  return {
    apiVersion,
    kind: 'RoleBinding',
    metadata: namespacedMeta(installation),
    ...grant('Role', installation),
  }
}

function grant(kind: 'ClusterRole' | 'Role', { name, namespace }: Installation): object {
  return {
    roleRef: { apiGroup, kind, name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  }
}
