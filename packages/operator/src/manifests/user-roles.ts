import type { Manifest } from './manifest.js'
import { editRules, type PolicyRule, viewRules } from './rbac-rules.js'

/**
 * Whoever has the roles view, edit or admin in a namespace gets the same for its KronJobs:
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
