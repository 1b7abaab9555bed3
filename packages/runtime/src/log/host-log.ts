import type { DroppedLines, LineKind } from './line-outlet.js'
import { createLog, type Log } from './log.js'
import type { LogOptions } from './log-options.js'

/** Where the lines of a host go, as far as its log is concerned; a `LineOutlet` is one. */
export interface LogOutlet {
  write(line: string, kind: LineKind): void
  onDropped: (dropped: DroppedLines) => void
}

export interface HostLogOptions extends Omit<LogOptions, 'write'> {
  readonly outlet: LogOutlet
  /** Events that pass on what something else wrote, and that are dropped first. */
  readonly foreignEvents?: readonly string[]
}

/** The log of a host, whose outlet may have to drop lines: then it says how many, and when. */
export function hostLog({ outlet, foreignEvents = [], ...options }: HostLogOptions): Log {
  const log = createLog({
    ...options,
    write: (line, event) => outlet.write(line, foreignEvents.includes(event) ? 'foreign' : 'own'),
  })
  outlet.onDropped = ({ lines, own, since, until }) => {
    const times = { since: since.toISOString(), until: until.toISOString() }
    log.warn('log_dropped', { lines, own, ...times })
  }
  return log
}
