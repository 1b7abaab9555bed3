import { badArgument } from '@kron/command'
import { type Finding, findingLines } from '@kron/preview'
import type { JsonRecord } from '../../kronjob/schema/json-schema.js'
import type { KronctlInvocation } from '../invocation.js'
import { objectsOfKind, readManifests } from '../manifest/index.js'
import {
  orFilesInstead,
  readObjects,
  refuseFilesAsNames,
  refuseSelector,
  type SourceOptions,
  shownFile,
  unknownName,
  withCluster,
} from '../source/index.js'
import { cronJobParts, cronJobs } from './cron-job.js'

export interface CronJobSelection {
  readonly found: readonly JsonRecord[]
  /** What can't be read, and may be a CronJob: mentioned and left out. */
  readonly broken: number
}

/** CronJobs of files or of a cluster: those that are named, or all of them. */
export async function selectCronJobs(
  invocation: KronctlInvocation,
  names: readonly string[],
  options: SourceOptions,
): Promise<CronJobSelection> {
  const { file = [] } = options
  if (file.length > 0) {
    refuseSelector(options.selector)
    return await fromFiles(invocation, file, names)
  }
  refuseFilesAsNames(invocation, names)
  const found = await orFilesInstead(
    withCluster(invocation, options, (cluster) => readObjects(cluster, cronJobs, names, options)),
  )
  return { found, broken: 0 }
}

async function fromFiles(
  invocation: KronctlInvocation,
  paths: readonly string[],
  names: readonly string[],
): Promise<CronJobSelection> {
  const { objects, findings } = await readManifests(invocation, paths)
  for (const finding of findings) mention(invocation, finding)
  const all = objectsOfKind(invocation, objects, cronJobs.kind).map(({ value }) => value)
  if (all.length === 0) throw badArgument('--file', `no CronJobs in ${paths.join(', ')}`)
  if (names.length === 0) return { found: all, broken: findings.length }
  for (const name of names) {
    if (all.some((value) => isNamed(value, name))) continue
    const others = all.map((value) => ({ metadata: { name: nameOf(value) } }))
    throw unknownName(cronJobs, name, paths.join(', '), others)
  }
  const found = all.filter((value) => names.some((name) => isNamed(value, name)))
  return { found, broken: 0 }
}

function mention(invocation: KronctlInvocation, finding: Finding): void {
  const { host, errorStyle } = invocation
  const file = shownFile(invocation, finding.file)
  const lines = findingLines(finding, file, host.stderr.columns, errorStyle)
  host.stderr.write(`${lines.join('\n')}\n`)
}

const nameOf = (value: JsonRecord): string => String(cronJobParts(value).metadata['name'])

const isNamed = (value: JsonRecord, wanted: string): boolean =>
  wanted === cronJobParts(value).title || wanted === nameOf(value)
