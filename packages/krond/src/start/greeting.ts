import { counted, instantText, type Log } from '@kron/runtime'
import type { Host } from '../command/invocation.js'
import type { StartSettings } from './start-settings.js'

/** What somebody who has just started a daemon wants to know. */
export interface Readiness {
  readonly jobs: number
  /** The job that is due first. */
  readonly next: { readonly identity: string; readonly due: number } | null
}

export type Greet = (readiness: Readiness) => void

/**
 * For people only: into the log where that has sentences, and on standard error where the
 * log goes elsewhere. Whatever reads the log of a daemon finds in it what it always found.
 */
export function greeting(
  { logFormat }: Pick<StartSettings, 'logFormat'>,
  { stdout, stderr, clock }: Pick<Host, 'stdout' | 'stderr' | 'clock'>,
  log: Pick<Log, 'info'>,
  logFile: () => string | null,
): Greet | null {
  if (logFormat === 'readable') {
    return ({ jobs, next }) => {
      const isTold = jobs > 1 && next !== null
      if (isTold) log.info('next', { ...next, due: new Date(next.due).toISOString() })
      log.info('foreground')
    }
  }
  if (stdout.isTerminal || !stderr.isTerminal) return null
  return ({ jobs, next }) => {
    const soon = next === null ? '' : `, ${nextText(next, clock.now())}`
    stderr.write(`krond: runs ${counted(jobs, 'job')}${soon}\n`)
    const place = logFile() ?? 'a pipe'
    stderr.write(`krond: stays in the foreground, and logs to ${place}. Ctrl-C stops it.\n`)
  }
}

function nextText({ identity, due }: NonNullable<Readiness['next']>, now: Date): string {
  const name = identity.slice(identity.lastIndexOf(':') + 1)
  return `the first is ${name} ${instantText(due, now)}`
}
