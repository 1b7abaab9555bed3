import { hasStatus, type KubeObject, type Resource } from '../../kube/index.js'
import type { Cluster } from '../host.js'
import type { KronctlInvocation } from '../invocation.js'
import { type ClusterOptions, readObjects, withCluster } from '../source/index.js'
import { betaCronJobs, cronJobs } from './cron-job.js'

/** CronJobs of the cluster: those that are named, or all of the namespace. */
export function clusterCronJobs(
  invocation: KronctlInvocation,
  names: readonly string[],
  options: ClusterOptions,
): Promise<readonly KubeObject[]> {
  return withCluster(invocation, options, async (cluster) => {
    const resource = await knownResource(cluster, options)
    return readObjects(cluster, resource, names, options)
  })
}

/** The version of CronJobs that the cluster has. */
async function knownResource(cluster: Cluster, options: ClusterOptions): Promise<Resource> {
  try {
    const namespace = options.namespace ?? cluster.namespace
    await cluster.api.list(cronJobs, { ...(!options.allNamespaces && { namespace }), limit: 1 })
    return cronJobs
  } catch (error) {
    if (hasStatus(error, 404)) return betaCronJobs
    throw error
  }
}
