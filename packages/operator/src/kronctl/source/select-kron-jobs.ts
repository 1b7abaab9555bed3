import { badArgument } from '@kron/command'
import { ConfigurationError, formatSchedule, type Job, KronError, quote } from '@kron/core'
import { type Finding, findingLines, type NamedJob } from '@kron/preview'
import { counted } from '@kron/runtime'
import { compileKronJob, identityOf, type KronJob } from '../../kronjob/index.js'
import { checkKronJob } from '../../kronjob/manifest/check-manifest.js'
import { kronJobs } from '../../kube/index.js'
import type { KronctlInvocation } from '../invocation.js'
import {
  inputName,
  type ManifestObject,
  objectsOfKind,
  problemFinding,
  readManifests,
} from '../manifest/index.js'
import { assumedNamespace, inNamespace } from './assumed-namespace.js'
import { readObjects, unknownName } from './read-objects.js'
import { orFilesInstead, refuseFilesAsNames, type SourceOptions } from './source-options.js'
import { withCluster } from './with-cluster.js'

/** A KronJob that a command is about. */
export interface NamedKronJob extends NamedJob {
  readonly kronJob: KronJob
}

/** What a command is about. */
export interface Selection {
  readonly jobs: readonly NamedKronJob[]
  /** Invalid ones, which are mentioned and left out. */
  readonly broken: number
  /** Where it was looked for. */
  readonly where: string
}

/** KronJobs of files or of a cluster: those that are named, or all of them. */
export async function selectKronJobs(
  invocation: KronctlInvocation,
  names: readonly string[],
  options: SourceOptions,
): Promise<Selection> {
  const { file = [], selector } = options
  if (file.length > 0) refuseSelector(selector)
  else refuseFilesAsNames(invocation, names)
  const selection =
    file.length > 0
      ? await fromFiles(invocation, file, names, options)
      : await orFilesInstead(fromCluster(invocation, names, options))
  if (selection.jobs.length > 0) return selection
  const what = selection.broken > 0 ? 'no valid KronJobs' : 'no KronJobs'
  const code = selection.broken > 0 ? 'KRON_MANIFEST_SYNTAX' : 'KRON_JOB_UNKNOWN'
  throw new ConfigurationError(code, `${what} in ${selection.where}`, { field: 'name' })
}

/** Files are chosen by their names. */
export function refuseSelector(selector: string | undefined): void {
  if (selector !== undefined)
    throw badArgument('-l', '-l can not be used with -f: the cluster knows the labels')
}

async function fromFiles(
  invocation: KronctlInvocation,
  paths: readonly string[],
  names: readonly string[],
  options: SourceOptions,
): Promise<Selection> {
  const { objects, findings } = await readManifests(invocation, paths)
  const kind = objectsOfKind(invocation, objects, kronJobs.kind)
  const namespace = assumedNamespace(invocation, kind, options)
  const all = kind.map((object) => ({ object, kronJob: placed(object, namespace) }))
  const chosen = names.length === 0 ? all : names.flatMap((name) => namedIn(all, name, paths))
  const broken = names.length === 0 ? [...findings] : []
  const jobs: NamedKronJob[] = []
  for (const { object, kronJob } of chosen) {
    const problems = schedulingProblems(object)
    broken.push(...problems)
    if (problems.length === 0) jobs.push(namedJob(kronJob, compileKronJob(kronJob)))
  }
  mention(invocation, broken)
  return { jobs, broken: broken.length, where: paths.join(', ') }
}

/** What keeps the times from being known. What Kubernetes will say of the Pods does not. */
function schedulingProblems(object: ManifestObject): Finding[] {
  return checkKronJob(object.value)
    .filter(({ path }) => path[1] !== 'jobTemplate')
    .map((problem) => problemFinding(object, problem))
}

interface Candidate {
  readonly object: ManifestObject
  readonly kronJob: KronJob
}

function placed(object: ManifestObject, namespace: string): KronJob {
  return inNamespace(object.value, namespace) as KronJob
}

function namedIn(all: readonly Candidate[], wanted: string, paths: readonly string[]): Candidate[] {
  const found = all.filter(
    ({ kronJob: { metadata } }) => metadata?.name === wanted || identityOf(metadata) === wanted,
  )
  if (found.length > 0) return found
  const others = all.map(({ kronJob }) => kronJob).filter(({ metadata }) => metadata?.name)
  throw unknownName(kronJobs, wanted, paths.join(', '), others)
}

function mention(invocation: KronctlInvocation, findings: readonly Finding[]): void {
  if (findings.length === 0) return
  const { host, errorStyle } = invocation
  const lines = findings.flatMap((finding) =>
    findingLines(finding, shownFile(invocation, finding.file), host.stderr.columns, errorStyle),
  )
  const left = `${counted(findings.length, 'error')}, the KronJobs concerned are left out`
  invocation.complain(left, lines)
}

export const shownFile = (invocation: KronctlInvocation, file: string): string =>
  file === inputName ? file : invocation.shown(file)

async function fromCluster(
  invocation: KronctlInvocation,
  names: readonly string[],
  options: SourceOptions,
): Promise<Selection> {
  const { found, where } = await withCluster(invocation, options, async (cluster) => ({
    found: (await readObjects(cluster, kronJobs, names, options)) as KronJob[],
    where: placeText(cluster.namespace, options),
  }))
  const jobs: NamedKronJob[] = []
  for (const kronJob of found) {
    const job = compiledOrMentioned(invocation, kronJob)
    if (job !== null) jobs.push(namedJob(kronJob, job))
  }
  return { jobs, broken: found.length - jobs.length, where }
}

function placeText(usual: string, { allNamespaces, namespace, selector }: SourceOptions): string {
  const place = allNamespaces ? 'any namespace' : `namespace ${quote(namespace ?? usual)}`
  return selector === undefined ? place : `${place} with labels ${quote(selector)}`
}

function compiledOrMentioned(invocation: KronctlInvocation, kronJob: KronJob): Job | null {
  try {
    return compileKronJob(kronJob)
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    invocation.complain(`${identityOf(kronJob.metadata)} is invalid: ${error.message}`)
    return null
  }
}

const namedJob = (kronJob: KronJob, job: Job): NamedKronJob => ({
  kronJob,
  name: identityOf(kronJob.metadata),
  job,
  schedule: formatSchedule(job.spec),
})
