import { type ExitCode, exitCodes } from '@kron/preview'
import type { Invocation } from '../cli/invocation.js'
import { type DaemonContact, systemContact } from '../control/index.js'
import type { HostJob } from '../daemon/index.js'
import { type ReadableDisk, systemDisk } from '../disk/index.js'
import { hostStatus } from './host-status.js'
import { statusText } from './status-text.js'

/** `krond status`: exit 0 when a daemon runs, 3 when none does. */
export function statusCommand(
  invocation: Invocation,
  jobs: readonly HostJob[],
  folder: string,
  disk: ReadableDisk = systemDisk(),
  contact: DaemonContact = systemContact(),
): ExitCode {
  const status = hostStatus(jobs, folder, invocation.now, disk, contact)
  if (invocation.format === 'json') invocation.printJson(status)
  else invocation.printLines(statusText(status, invocation.style))
  return status.daemon.running ? exitCodes.success : exitCodes.unavailable
}
