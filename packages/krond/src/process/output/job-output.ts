import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { expandTimeTokens } from '../../krontab/output-target.js'
import { failureOf } from '../failure.js'
import type { StartRequest } from '../processes.js'
import type { StreamEnd } from '../spawn/spawner.js'
import { openOutputFile } from './output-file.js'
import type { OutputFolder } from './output-folder.js'
import type { OutputSlot } from './output-slot.js'
import type { StreamName } from './stream-lines.js'
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
  const slot = slotFor(start, settings)
  const opened: OpenEnd[] = []
  try {
    for (const stream of ['stdout', 'stderr'] as const) {
      opened.push(await openEnd(start, stream, settings, slot))
    }
  } catch (error) {
    for (const end of opened) letGo(end)
    throw error
  } finally {
    slot?.give()
  }
  const [stdout, stderr] = opened as [OpenEnd, OpenEnd]
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

/** For streams that we read of an execution that may outlive us. */
function slotFor(start: StartRequest, { folder }: OutputSettings): OutputSlot | null {
  const { identity, period, settings } = start
  const isRead = settings.stdout.kind === 'inherit' || settings.stderr.kind === 'inherit'
  if (folder === null || period === null || !isRead) return null
  try {
    return folder.take({ identity, nominal: period.nominal })
  } catch (error) {
    throw failureOf(error, "output can't be read", 'output', 'inherit')
  }
}

async function openEnd(
  { name, period, settings: { account, ...targets } }: StartRequest,
  stream: StreamName,
  { loggerPath, ownUid, now }: OutputSettings,
  slot: OutputSlot | null,
): Promise<OpenEnd> {
  const target = targets[stream]
  switch (target.kind) {
    case 'inherit':
      if (slot === null) return { end: 'pipe', stream: null }
      try {
        return slot.pipe(stream, account)
      } catch (error) {
        throw failureOf(error, `${stream} can't be read`, stream, 'inherit')
      }
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

function letGo(opened: OpenEnd): void {
  closeEnd(opened)
  opened.stream?.destroy()
}

function closeEnd({ end }: OpenEnd): void {
  if (typeof end === 'number') closeSync(end)
  else if (typeof end === 'object') end.destroy()
}
