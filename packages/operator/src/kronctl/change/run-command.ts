import { type ExitCode, exitCodes } from '@kron/command'
import { ConfigurationError, KronError } from '@kron/core'
import { stringify } from 'yaml'
import { manualJob } from '../../job/index.js'
import { compileKronJob, identityOf, type KronJob } from '../../kronjob/index.js'
import { hasStatus, jobs, type KubeObject, kronJobs } from '../../kube/index.js'
import { blamed } from '../../record/trouble.js'
import type { Cluster } from '../host.js'
import type { KronctlInvocation } from '../invocation.js'
import { type ClusterOptions, readObjects, withCluster } from '../source/index.js'

export interface RunOptions extends ClusterOptions {
  readonly dryRun: boolean
}

/** As kubectl reads it: text that YAML 1.1 takes for something else is put in quotes. */
const yamlOptions = { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false } as const

/** Names are random, so that one is rarely taken. */
const maxAttempts = 5

/** `kronctl run <name> [--dry-run]`. */
export async function runCommand(
  invocation: KronctlInvocation,
  name: string,
  options: RunOptions,
): Promise<ExitCode> {
  const job = await withCluster(invocation, options, async (cluster) => {
    const [kronJob] = (await readObjects(cluster, kronJobs, [name], options)) as [KronJob]
    refuseInvalid(kronJob)
    if (options.dryRun) return manualJob(kronJob, invocation.host.suffix())
    return createJob(cluster, kronJob, invocation.host.suffix)
  })
  if (invocation.format === 'json') invocation.printJson(job)
  else if (options.dryRun) invocation.host.stdout.write(stringify(job, yamlOptions))
  else invocation.printLines(createdLines(invocation, job))
  return exitCodes.success
}

/** What the controller starts nothing of is not started by hand either. */
function refuseInvalid(kronJob: KronJob): void {
  try {
    compileKronJob(kronJob)
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    const { code, message, details } = error
    const what = `${identityOf(kronJob.metadata)} is invalid, so no Job is created: ${message}`
    throw new ConfigurationError(code, what, details, { cause: error })
  }
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
      if (!hasStatus(error, 409) || attempt >= maxAttempts) throw blamed(error)
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
