import { SystemError } from '@kron/core'
import { ApiFailure } from '../../kube/index.js'
import type { Cluster } from '../host.js'
import type { KronctlInvocation } from '../invocation.js'
import type { ClusterOptions } from './source-options.js'

/** Does something with the cluster; what its API server refuses names the server. */
export async function withCluster<T>(
  invocation: KronctlInvocation,
  { kubeconfig, context }: ClusterOptions,
  use: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const file = kubeconfig === undefined ? undefined : invocation.absolute(kubeconfig)
  const cluster = await invocation.host.connect({ kubeconfig: file, context })
  try {
    return await use(cluster)
  } catch (error) {
    throw error instanceof ApiFailure ? failureAt(cluster.server, error) : error
  } finally {
    await cluster.close()
  }
}

function failureAt(server: string, { message, status, cause }: ApiFailure): SystemError {
  const what = status === null ? `${server} does not answer` : `${server} refused (${status})`
  const hint = hints[String(status)]
  return new SystemError(
    'KRON_API',
    `${what}: ${message}`,
    { field: 'cluster', status, ...(hint !== undefined && { hint }) },
    { cause },
  )
}

const hints: Readonly<Record<string, string>> = {
  null: 'hint: kubectl cluster-info asks the same cluster; --context names another',
  401: 'hint: log in again, or name another context with --context',
  403: 'hint: kubectl auth can-i --list shows what you may do there',
}
