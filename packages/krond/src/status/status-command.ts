import { type ExitCode, exitCodes } from '@kron/command'
import type { Invocation } from '../cli/invocation.js'
import type { Configuration, ConfigurationSources } from '../configuration/index.js'
import { type DaemonContact, sourcesOfDaemon, systemContact } from '../control/index.js'
import type { ReadableDisk } from '../disk/disk.js'
import { systemDisk } from '../disk/system-disk.js'
import { hostStatus } from './host-status.js'
import { statusText } from './status-text.js'

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
