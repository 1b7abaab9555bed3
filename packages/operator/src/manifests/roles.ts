import { clusterMeta, type Installation, type Manifest, namespacedMeta } from './installation.js'
import { editRules, leaseRules, operatorRules, type PolicyRule, viewRules } from './rbac-rules.js'

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

/**
 * People with the roles view, edit or admin in a namespace get the same for its KronJobs:
 * Kubernetes adds the rules of roles with these labels to its own.
 */
export function userRoles(): Manifest[] {
  return [
    userRole('kron-view', viewRules, ['view', 'edit', 'admin']),
    userRole('kron-edit', editRules, ['edit', 'admin']),
  ]
}

function userRole(
  name: string,
  rules: readonly PolicyRule[],
  addedTo: readonly string[],
): Manifest {
  const aggregation = addedTo.map((role) => [
    `rbac.authorization.k8s.io/aggregate-to-${role}`,
    'true',
  ])
  const labels = { 'app.kubernetes.io/name': 'kron-operator', ...Object.fromEntries(aggregation) }
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, labels },
    rules,
  }
}
