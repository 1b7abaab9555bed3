import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { expandTimeTokens } from '../../krontab/output-target.js'
import type { Account } from '../account.js'
import { failureOf } from '../gate/failure.js'
import type { OutputOwner, StartRequest } from '../processes.js'
import type { StreamEnd } from '../spawn/spawner.js'
import { openOutputFile } from './output-file.js'
import type { OutputFolder } from './output-folder.js'
import type { StreamName } from './output-name.js'
import { startSyslogWriter } from './syslog-writer.js'

/** Where the two streams of one start go, as `spawn` takes it. */
export interface JobOutput {
  readonly stdout: StreamEnd
  readonly stderr: StreamEnd
  /** What is read of them here, of those that outlive us. */
  readonly read: { readonly stdout: Socket | null; readonly stderr: Socket | null }
  /** Lets go of what was opened for the job; a process that was spawned with it keeps its own. */
  close(): void
  /** There is no such process: nothing is read either. */
  abandon(): void
}

export interface OutputSettings {
  readonly loggerPath: string
  readonly ownUid: number
  /** The instant that time tokens of file names show, for a run outside of any period. */
  readonly now: number
  /** For what is to outlive us; null: it ends with us. */
  readonly folder: OutputFolder | null
}

interface OpenEnd {
  readonly end: StreamEnd
  readonly stream: Socket | null
}

export async function openJobOutput(
  start: StartRequest,
  settings: OutputSettings,
): Promise<JobOutput> {
  const stdout = await openEnd(start, 'stdout', settings)
  let stderr: OpenEnd
  try {
    stderr = await openEnd(start, 'stderr', settings)
  } catch (error) {
    closeEnd(stdout)
    stdout.stream?.destroy()
    throw error
  }
  return {
    stdout: stdout.end,
    stderr: stderr.end,
    read: { stdout: stdout.stream, stderr: stderr.stream },
    close() {
      closeEnd(stdout)
      closeEnd(stderr)
    },
    abandon() {
      stdout.stream?.destroy()
      stderr.stream?.destroy()
    },
  }
}

async function openEnd(
  { identity, name, period, settings: { account, ...targets } }: StartRequest,
  stream: 'stdout' | 'stderr',
  { loggerPath, ownUid, now, folder }: OutputSettings,
): Promise<OpenEnd> {
  const target = targets[stream]
  switch (target.kind) {
    case 'inherit':
      if (folder === null || period === null) return { end: 'pipe', stream: null }
      return lastingEnd(folder, { identity, nominal: period.nominal }, stream, account)
    case 'discard':
      return { end: 'ignore', stream: null }
    case 'syslog':
      return { end: await startSyslogWriter(loggerPath, name, stream), stream: null }
    case 'file': {
      const path = expandTimeTokens(target.path, period?.chosen ?? now)
      return { end: openOutputFile(path, account, ownUid), stream: null }
    }
  }
}

function lastingEnd(
  folder: OutputFolder,
  owner: OutputOwner,
  stream: StreamName,
  account: Account | null,
): OpenEnd {
  try {
    return folder.pipe(owner, stream, account)
  } catch (error) {
    throw failureOf(error, `${stream} can't be read`, stream, 'inherit')
  }
}

function closeEnd({ end }: OpenEnd): void {
  if (typeof end === 'number') closeSync(end)
  else if (typeof end === 'object') end.destroy()
}
