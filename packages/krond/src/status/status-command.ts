import { type ExitCode, exitCodes } from '@kron/command'
import { type Column, counted, type Style, table } from '@kron/runtime'
import type { Invocation } from '../command/invocation.js'
import type { Configuration } from '../configuration/configuration.js'
import type { ConfigurationSources } from '../configuration/read-configuration.js'
import { type DaemonContact, sourcesOfDaemon, systemContact } from '../control/daemon-contact.js'
import type { ReadableDisk } from '../disk/disk.js'
import { systemDisk } from '../disk/system-disk.js'
import { type HostStatus, hostStatus, type JobStatus } from './host-status.js'

export interface StatusRequest {
  /** Of the state. */
  readonly folder: string
  /** The files that were named on the command line; null: those of the daemon. */
  readonly named: ConfigurationSources | null
  /** For a host without a daemon, or with one that does not say. */
  readonly usual: ConfigurationSources
}

/** `krond status`: exit 0 when a daemon runs, 3 when none does. */
export function statusCommand(
  invocation: Invocation,
  { folder, named, usual }: StatusRequest,
  read: (sources: ConfigurationSources) => Configuration,
  disk: ReadableDisk = systemDisk(),
  contact: Pick<DaemonContact, 'find'> = systemContact(),
): ExitCode {
  const daemon = contact.find(folder)
  const told = daemon === null ? null : sourcesOfDaemon(daemon.info)
  const sources = named ?? told ?? usual
  const { jobs, problems } = read(sources)
  for (const problem of problems) invocation.complain(problem.message)
  const status = hostStatus(jobs, sources, folder, invocation.now, disk, daemon)
  if (invocation.format === 'json') invocation.printJson(status)
  else invocation.printLines(statusText(status, invocation.style))
  return status.daemon.running ? exitCodes.success : exitCodes.unavailable
}

const columns: readonly Column[] = [
  { title: 'job' },
  { title: 'next (UTC)' },
  { title: 'last period (UTC)' },
  { title: 'outcome' },
  { title: 'running' },
]

function statusText(status: HostStatus, style: Style): string[] {
  const { daemon, state, krontabs, crontabs, jobs } = status
  // When the file in which the daemon describes itself was removed, only its number is known.
  const since = daemon.started_at === null ? '' : ` since ${daemon.started_at}`
  const head = daemon.running
    ? `${style('good', 'krond runs')} as process ${daemon.pid}${since}`
    : style('warning', 'krond does not run')
  return [
    head,
    style('faint', `state in ${state}`),
    style('faint', `${counted(jobs.length, 'job')} in ${[...krontabs, ...crontabs].join(', ')}`),
    ...(daemon.waiting === 0
      ? []
      : [style('warning', `${counted(daemon.waiting, 'start')} waiting for a free place`)]),
    ...(jobs.length === 0 ? [] : ['']),
    ...(jobs.length === 0
      ? []
      : table(
          columns,
          jobs.map((job) => row(job, style)),
          (text) => style('faint', text),
        )),
    ...jobs.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`])),
  ]
}

function row(job: JobStatus, style: Style): string[] {
  const { name, last, running } = job
  return [
    name,
    nextText(job, style),
    last?.period_id ?? '-',
    last === null ? '-' : outcomeText(last, running.length > 0, style),
    running.length === 0 ? '-' : running.map(({ pid }) => pid).join(' '),
  ]
}

function nextText({ suspended, queued, next }: JobStatus, style: Style): string {
  if (suspended) return style('warning', 'suspended')
  if (next === null) return 'never'
  return queued ? `${next.chosen_time} ${style('warning', 'queued')}` : next.chosen_time
}

function outcomeText(
  { outcome, exit_code }: NonNullable<JobStatus['last']>,
  isRunning: boolean,
  style: Style,
): string {
  if (outcome !== 'executed') return style('warning', outcome)
  if (exit_code === 0) return style('good', 'executed, exit 0')
  if (exit_code === null) return isRunning ? 'executed' : style('warning', 'executed, exit unknown')
  return style('error', `executed, exit ${exit_code}`)
}
