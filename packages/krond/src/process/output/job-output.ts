import { closeSync } from 'node:fs'
import { expandTimeTokens } from '../../krontab/output-target.js'
import type { StartRequest } from '../processes.js'
import type { StreamEnd } from '../spawn/spawner.js'
import { openOutputFile } from './output-file.js'
import { startSyslogWriter } from './syslog-writer.js'

/** Where the two streams of one start go, as `spawn` takes it. */
export interface JobOutput {
  readonly stdout: StreamEnd
  readonly stderr: StreamEnd
  /** Lets go of what was opened here; a process that was spawned with it keeps its own. */
  close(): void
}

export interface OutputSettings {
  readonly loggerPath: string
  readonly ownUid: number
  /** The instant that time tokens of file names show, for a run outside of any period. */
  readonly now: number
}

export async function openJobOutput(
  start: StartRequest,
  settings: OutputSettings,
): Promise<JobOutput> {
  const stdout = await openEnd(start, 'stdout', settings)
  try {
    const stderr = await openEnd(start, 'stderr', settings)
    return {
      stdout,
      stderr,
      close() {
        closeEnd(stdout)
        closeEnd(stderr)
      },
    }
  } catch (error) {
    closeEnd(stdout)
    throw error
  }
}

async function openEnd(
  { name, period, settings: { account, ...targets } }: StartRequest,
  stream: 'stdout' | 'stderr',
  { loggerPath, ownUid, now }: OutputSettings,
): Promise<StreamEnd> {
  const target = targets[stream]
  switch (target.kind) {
    case 'inherit':
      return 'pipe'
    case 'discard':
      return 'ignore'
    case 'syslog':
      return startSyslogWriter(loggerPath, name, stream)
    case 'file':
      return openOutputFile(expandTimeTokens(target.path, period?.chosen ?? now), account, ownUid)
  }
}

function closeEnd(end: StreamEnd): void {
  if (typeof end === 'number') closeSync(end)
  else if (typeof end === 'object') end.destroy()
}
