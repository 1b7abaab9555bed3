import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import type { PlaneAccess } from '../../../../tools/kube/index.ts'

const manifests = fileURLToPath(new URL('../../../../deploy/kubernetes/', import.meta.url))

/** The account and its rights. The Deployment is left out: there are no nodes to run it. */
const kinds = ['ServiceAccount', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']

/** Gives the controller the rights that we ship, and nothing else; into a namespace that exists. */
export async function install(
  plane: PlaneAccess,
  manifest: 'operator' | 'operator-namespaced',
  namespace: string,
): Promise<void> {
  const shipped = readFileSync(`${manifests}${manifest}.yaml`, 'utf8')
  const parts = parseAllDocuments(shipped.replaceAll('kron-system', namespace))
  const input = parts
    .filter((part) => kinds.includes(String(part.get('kind'))))
    .map(String)
    .join('---\n')
  const { code, stderr } = await plane.kubectl(['apply', '-f', '-'], { input })
  if (code !== 0) throw new Error(`the manifest can't be applied: ${stderr}`)
}

/** The text of a kubeconfig of the account, by way of another address. */
export async function kubeconfigOf(
  plane: PlaneAccess,
  namespace: string,
  server: string,
): Promise<string> {
  const config = JSON.parse(await plane.serviceAccountKubeconfig(namespace, 'kron-operator'))
  config.clusters[0].cluster = { server }
  return JSON.stringify(config)
}
