import { badArgument, type ExitCode, exitCodes } from '@kron/command'
import { formatInstant } from '@kron/core'
import { identityOf, type KronJob } from '../../kronjob/index.js'
import { kronJobs } from '../../kube/index.js'
import type { Cluster } from '../host.js'
import type { KronctlInvocation } from '../invocation.js'
import { type ClusterOptions, readObjects, withCluster } from '../source/index.js'
import { nextRun } from './next-run.js'

export interface SuspendOptions extends ClusterOptions {
  readonly all: boolean
}

interface Change {
  readonly kronJob: KronJob
  readonly before: boolean
}

/** `kronctl suspend <name...>` and `kronctl resume <name...>`. */
export async function suspendCommand(
  invocation: KronctlInvocation,
  names: readonly string[],
  options: SuspendOptions,
  suspend: boolean,
): Promise<ExitCode> {
  checkSelection(names, options)
  const changes = await withCluster(invocation, options, async (cluster) => {
    const found = (await readObjects(cluster, kronJobs, names, options)) as KronJob[]
    const done: Change[] = []
    for (const kronJob of found) {
      const change = await setSuspend(cluster, kronJob, suspend)
      done.push(change)
      // At once: people who interrupt a long list see how far it came.
      if (invocation.format === 'text') invocation.printLines([changeText(invocation, change)])
    }
    return done
  })
  if (invocation.format === 'json') invocation.printJson(changes.map(changeJson))
  else if (changes.length === 0) invocation.note('there are no KronJobs')
  return exitCodes.success
}

function checkSelection(names: readonly string[], { all, selector }: SuspendOptions): void {
  if (all && names.length > 0) throw badArgument('--all', '--all can not be used with names')
  if (all && selector !== undefined) throw badArgument('--all', '--all can not be used with -l')
  if (all || selector !== undefined || names.length > 0) return
  const hint = 'hint: name some, choose them by label with -l, or all with --all'
  throw badArgument('name', 'no KronJob is named', hint)
}

async function setSuspend({ api }: Cluster, before: KronJob, suspend: boolean): Promise<Change> {
  const was = before.spec.policy?.suspend === true
  if (was === suspend) return { kronJob: before, before: was }
  const { namespace = 'default', name } = before.metadata
  const patch = { spec: { policy: { suspend } } }
  const kronJob = (await api.patch(kronJobs, { namespace, name }, patch)) as KronJob
  return { kronJob, before: was }
}

function changeText({ style, now }: KronctlInvocation, { kronJob, before }: Change): string {
  const identity = identityOf(kronJob.metadata)
  const after = kronJob.spec.policy?.suspend === true
  const state = (suspended: boolean): string => (suspended ? 'suspended' : 'not suspended')
  if (after === before) return `${identity} is ${state(before)}, as it was`
  if (after) return `${identity} ${style('warning', 'suspended')}, was ${state(before)}`
  const next = nextRun(kronJob, now)
  const when = next === null ? '' : `; the next run is due ${formatInstant(next)}`
  return `${identity} ${style('good', 'resumed')}, was ${state(before)}${when}`
}

function changeJson({ kronJob, before }: Change): object {
  const { namespace, name } = kronJob.metadata
  const after = kronJob.spec.policy?.suspend === true
  return { namespace, name, before, after, changed: before !== after }
}
