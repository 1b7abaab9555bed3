import type { Job } from '@kron/core'
import type { Place } from '@kron/preview'
import type { Notice } from '../crontab/index.js'
import type { LineField, Problem } from '../krontab/index.js'

/** A job as a line of a krontab, and what it has to be the same as. */
export interface ImportedJob {
  readonly kind: 'job'
  readonly name: string
  /** The canonical text of the schedule. */
  readonly schedule: string
  /** All but the name. */
  readonly fields: readonly LineField[]
  /** The job as its source has it. */
  readonly job: Job
  readonly place: Pick<Place, 'file' | 'line'>
}

/** A comment or a blank line. */
export interface ImportedText {
  readonly kind: 'text'
  readonly text: string
}

/** What becomes of one crontab or timer. */
export interface ImportedFile {
  readonly lines: readonly (ImportedJob | ImportedText)[]
  /** What keeps the whole import from being written. */
  readonly problems: readonly Problem[]
  readonly notices: readonly Notice[]
}

/** A comment about something that is left out; never more than one line. */
export function leftOutComment(reason: string, source: string): ImportedText {
  return { kind: 'text', text: `# not converted, ${reason}: ${source.trim()}` }
}

/** A word that a shell reads as it is. */
export function shellWord(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/**
 * A shell text that gives a command what cron gives it to read. The input ends with a newline, as
 * cron's always does; each of its lines is an argument, so that nothing in it is expanded.
 */
export function withInput(command: string, stdin: string, shell: string): string {
  const lines = stdin.replace(/\n$/, '').split('\n')
  const input = lines.map((line) => `'${line.replaceAll("'", "'\\''")}'`).join(' ')
  // What has syntax in it, such as && or a comment, must stay one command behind the pipe.
  const isSimple = /^[\w ./:=,@+-]+$/.test(command)
  const reader = isSimple ? command.trim() : `${shellWord(shell)} -c ${shellWord(command)}`
  return `printf '%s\\n' ${input} | ${reader}`
}
