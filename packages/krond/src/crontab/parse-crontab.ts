import { InvalidCronExpressionError, KronError, ValidationError } from '@kron/core'
import type { Place } from '@kron/preview'
import {
  type BrokenJob,
  type KrontabFile,
  type KrontabJob,
  krontabLimits,
  type Span,
} from '../krontab/index.js'
import { lineFlaw, linesOf } from '../krontab/lines.js'
import { ProblemList } from '../krontab/problem-list.js'
import {
  type CrontabFormat,
  descriptionAbove,
  type EntryLine,
  entryOf,
  type Variable,
  variableOf,
} from './crontab-line.js'
import { type Scope, scopeAfter, unknownZone } from './crontab-scope.js'
import { uniqueNames } from './job-name.js'
import { type EntryDraft, jobOfEntry, leftOut } from './job-of-entry.js'

/** Something a reader should know that keeps no job from running as it does in cron. */
export interface Notice extends Place {
  readonly message: string
}

/** A line of a crontab as it was understood. */
export type CrontabLine =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly text: string }
  | { readonly kind: 'job'; readonly text: string; readonly job: KrontabJob }
  | { readonly kind: 'left-out'; readonly text: string; readonly reason: string }
  | { readonly kind: 'invalid'; readonly text: string }

/** One of cron's own files, read as it is; to all others it is a krontab. */
export interface CrontabFile extends KrontabFile {
  /** All of its lines, in order. */
  readonly lines: readonly CrontabLine[]
  readonly notices: readonly Notice[]
}

export interface CrontabOptions {
  /** `system` has a column for the user, as /etc/crontab and the files in /etc/cron.d do. */
  readonly format: CrontabFormat
  /** The zone of all lines without a CRON_TZ above them. */
  readonly timezone: string
  /** The user of the jobs in the user format; left out: the user who reads the file. */
  readonly user?: string
  /** Jobs that other files already have, of all that are allowed. */
  readonly jobsBefore?: number
}

type Invalid = Extract<CrontabLine, { kind: 'invalid' }>
type LeftOut = Extract<CrontabLine, { kind: 'left-out' }>
type NumberedText = Pick<EntryDraft, 'text' | 'number'>
type Draft = Exclude<CrontabLine, { kind: 'job' }> | EntryDraft

/** Reads the text of a crontab. Never throws: what is wrong with it is in `problems`. */
export function parseCrontab(text: string, path: string, options: CrontabOptions): CrontabFile {
  return new CrontabReader(path, options).read(text)
}

class CrontabReader {
  readonly #path: string
  readonly #options: CrontabOptions
  readonly #problems: ProblemList
  readonly #notices: Notice[] = []
  readonly #told = new Set<string>()
  #scope: Scope

  constructor(path: string, options: CrontabOptions) {
    this.#path = path
    this.#options = options
    this.#problems = new ProblemList(path)
    this.#scope = { env: new Map(), timezone: options.timezone, delayMinutes: 0 }
  }

  read(text: string): CrontabFile {
    const sources = linesOf(text)
    const drafts = sources.map((source, index) => this.#draft(source, index + 1, sources))
    this.#noteFileEnds(text, sources)
    const entries = drafts.filter((draft) => draft.kind === 'entry')
    const names = uniqueNames(entries.map(nameable))
    const lines: CrontabLine[] = []
    const jobs: KrontabJob[] = []
    const broken: BrokenJob[] = []
    let next = 0
    for (const draft of drafts) {
      if (draft.kind !== 'entry') lines.push(draft)
      else {
        const name = names[next++]!
        const line = this.#line(draft, name, jobs.length)
        lines.push(line)
        if (line.kind === 'job') jobs.push(line.job)
        else if (line.kind === 'invalid') broken.push({ name, line: draft.number })
      }
    }
    if (this.#problems.isFull) this.#problems.close(sources.length, sources.at(-1) ?? '')
    const notices = this.#notices.sort((a, b) => a.line - b.line)
    return { path: this.#path, jobs, broken, lines, notices, problems: this.#problems.sorted() }
  }

  #draft(text: string, number: number, sources: readonly string[]): Draft {
    if (/^[ \t]*(?:#|$)/.test(text)) return { kind: 'text', text }
    const flaw = lineFlaw(text)
    if (flaw !== null) return this.#invalid({ text, number }, flaw)
    const variable = variableOf(text)
    if (variable !== null) return this.#variable(text, number, variable)
    try {
      const entry = entryOf(text, this.#options.format)
      const reason = leftOut(text, entry)
      if (reason !== null) return this.#leftOut({ text, number }, entry, reason)
      const quietly = 'the - at the beginning has no effect: krond logs these jobs too'
      if (entry.quiet) this.#noteOnce(number, text, { start: 0, end: 1 }, quietly)
      const description = descriptionAbove(sources, number - 1)
      const { user } = this.#options
      return { kind: 'entry', text, number, entry, scope: this.#scope, description, user }
    } catch (error) {
      return this.#invalid({ text, number }, error)
    }
  }

  #variable(text: string, number: number, variable: Variable): Draft {
    const whole = { start: 0, end: text.length }
    const note = (message: string): void => this.#noteOnce(number, text, whole, message)
    this.#scope = scopeAfter(this.#scope, variable, this.#options.timezone, note)
    if (variable.name !== 'CRON_TZ' || this.#scope.timezone !== null) {
      return { kind: 'variable', text }
    }
    return this.#invalid({ text, number }, unknownZone(variable.value), whole)
  }

  #line(draft: EntryDraft, name: string, jobsSoFar: number): CrontabLine {
    const { text, number } = draft
    if (jobsSoFar + (this.#options.jobsBefore ?? 0) >= krontabLimits.jobs) {
      return this.#invalid(draft, tooManyJobs())
    }
    // The problem of a CRON_TZ stands at its own line.
    if (draft.scope.timezone === null) return { kind: 'invalid', text }
    const { times } = draft.entry
    const span = { start: times[0]!.start, end: times.at(-1)!.end }
    try {
      const { job, notes } = jobOfEntry(draft, name, this.#path)
      for (const note of notes) this.#note(number, text, span, note)
      return { kind: 'job', text, job }
    } catch (error) {
      const never = error instanceof KronError && error.code === 'KRON_CRON_NEVER'
      if (!never) return this.#invalid(draft, error, span)
      return this.#leftOut(draft, draft.entry, 'it never runs: no month has such a day')
    }
  }

  #leftOut({ text, number }: NumberedText, { times }: EntryLine, reason: string): LeftOut {
    const span = { start: times[0]!.start, end: times.at(-1)!.end }
    this.#note(number, text, span, reason)
    return { kind: 'left-out', text, reason }
  }

  /** Errors that know no place are about the times of the line. */
  #invalid(draft: NumberedText, error: unknown, times?: Span): Invalid {
    if (!(error instanceof KronError)) throw error
    const { position, length, value } = error.details
    const isCron = error instanceof InvalidCronExpressionError
    const known = isCron ? String(value).length : Number(length ?? 1)
    const start = position ?? times?.start ?? 0
    const end = position === undefined ? (times?.end ?? 1) : start + Math.max(1, known)
    this.#problems.add(draft.number, draft.text, { start, end }, error)
    return { kind: 'invalid', text: draft.text }
  }

  /** What holds for the whole file is said once. */
  #noteOnce(line: number, source: string, span: Span, message: string): void {
    if (!this.#told.has(message)) this.#note(line, source, span, message)
    this.#told.add(message)
  }

  #note(line: number, source: string, span: Span, message: string): void {
    const place = { file: this.#path, line, column: span.start + 1, source }
    this.#notices.push({ ...place, length: Math.max(1, span.end - span.start), message })
  }

  #noteFileEnds(text: string, sources: readonly string[]): void {
    const last = sources.at(-1) ?? ''
    const end = { start: last.length, end: last.length + 1 }
    if (last.trim() !== '' && !last.trimStart().startsWith('#')) {
      const message =
        "the last line has no newline: Debian's cron ignores such a file, krond reads it"
      this.#note(sources.length, last, end, message)
    }
    if (!text.includes('\r\n')) return
    const first = sources[0] ?? ''
    const span = { start: first.length, end: first.length + 1 }
    this.#note(
      1,
      first,
      span,
      'Windows line ends: cron passes the \\r to the commands, krond does not',
    )
  }
}

const nameable = ({ text, entry, user }: EntryDraft) => ({
  schedule: entry.times.map(({ start, end }) => text.slice(start, end)).join(' '),
  user: entry.user === null ? (user ?? '') : text.slice(entry.user.start, entry.user.end),
  command: text.slice(entry.command.start, entry.command.end).trimEnd(),
})

function tooManyJobs(): ValidationError {
  const allowed = `at most ${krontabLimits.jobs} jobs in all files together`
  const details = { field: 'file', allowed }
  return new ValidationError('KRON_FILE_LIMIT', `${allowed}; the rest is not read`, details)
}
