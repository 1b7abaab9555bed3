import { type ExitCode, exitCodes } from '@kron/preview'
import { stringify } from 'yaml'
import { manualJob } from '../../job/index.js'
import type { KronJob } from '../../kronjob/index.js'
import { hasStatus, jobs, type KubeObject, kronJobs } from '../../kube/index.js'
import type { Cluster } from '../host.js'
import type { KronctlInvocation } from '../invocation.js'
import { type ClusterOptions, readObjects, withCluster } from '../source/index.js'

export interface RunOptions extends ClusterOptions {
  readonly dryRun: boolean
}

/** As kubectl reads it: text that YAML 1.1 takes for something else is put in quotes. */
const yamlOptions = { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false } as const

/** Names are random, so that one is seldom taken. */
const mostAttempts = 5

/** `kronctl run <name> [--dry-run]`. */
export async function runCommand(
  invocation: KronctlInvocation,
  name: string,
  options: RunOptions,
): Promise<ExitCode> {
  const job = await withCluster(invocation, options, async (cluster) => {
    const [kronJob] = (await readObjects(cluster, kronJobs, [name], options)) as [KronJob]
    if (options.dryRun) return manualJob(kronJob, invocation.host.suffix())
    return createJob(cluster, kronJob, invocation.host.suffix)
  })
  if (invocation.format === 'json') invocation.printJson(job)
  else if (options.dryRun) invocation.host.stdout.write(stringify(job, yamlOptions))
  else invocation.printLines(createdLines(invocation, job))
  return exitCodes.success
}

async function createJob(
  { api }: Cluster,
  kronJob: KronJob,
  suffix: () => string,
): Promise<KubeObject> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await api.create(jobs, manualJob(kronJob, suffix()))
    } catch (error) {
      if (!hasStatus(error, 409) || attempt >= mostAttempts) throw error
    }
  }
}

function createdLines({ style }: KronctlInvocation, { metadata }: KubeObject): string[] {
  const { name, namespace = 'default' } = metadata
  return [
    `${style('good', 'created')} Job ${namespace}/${name}, outside of any period`,
    `follow it: kubectl logs -f job/${name} -n ${namespace}`,
  ]
}
