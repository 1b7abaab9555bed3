import { ConfigurationError, type Job, splitSchedule, ValidationError } from '@kron/core'
import { compileSchedule, errorSpan } from './compile-schedule.js'
import { jobFieldsOf } from './job-fields.js'
import type { BrokenJob, KrontabFile, KrontabJob } from './krontab-file.js'
import { krontabLimits, lineFlaw, linesOf, variableFlaw } from './lines.js'
import { ProblemList } from './problem-list.js'
import { attempt, placeIn, type ReadFields, readFields, type SourceLine } from './read-fields.js'

export interface ParseOptions {
  /** Jobs that other files already have, of all that are allowed. */
  readonly jobsBefore?: number
}

/** Reads the text of a krontab. Never throws: what is wrong with it is in `problems`. */
export function parseKrontab(text: string, path: string, options: ParseOptions = {}): KrontabFile {
  const problems = new ProblemList(path)
  const jobs: KrontabJob[] = []
  const broken: BrokenJob[] = []
  const namesTaken = new Map<string, number>()
  const maxJobs = krontabLimits.jobs - (options.jobsBefore ?? 0)
  for (const [index, source] of linesOf(text).entries()) {
    const number = index + 1
    if (problems.isFull) {
      problems.close(number, source)
      break
    }
    if (/^[ \t]*(?:#|$)/.test(source)) continue
    const tooMany = jobs.length >= maxJobs ? tooManyJobs() : null
    const flaw = lineFlaw(source) ?? tooMany ?? variableFlaw(source)
    if (flaw !== null) {
      const { position: start = 0, length = 1 } = flaw.details
      problems.add(number, source, { start, end: start + Number(length) }, flaw)
      if (jobs.length >= maxJobs) break
      continue
    }
    const before = problems.count
    const report: SourceLine['report'] = (span, error) => problems.add(number, source, span, error)
    const { name, job } = parseLine({ file: path, number, text: source, report }, namesTaken)
    if (name !== undefined && !namesTaken.has(name)) namesTaken.set(name, number)
    if (job !== undefined && problems.count === before) jobs.push(job)
    else if (name !== undefined) broken.push({ name, line: number })
  }
  return { path, jobs, problems: problems.sorted(), broken }
}

function tooManyJobs(): ValidationError {
  const allowed = `at most ${krontabLimits.jobs} jobs in all files together`
  return new ValidationError('KRON_FILE_LIMIT', `${allowed}; the rest is not read`, {
    field: 'file',
    allowed,
  })
}

export interface ParsedLine {
  readonly name: string | undefined
  /** What the line says, as far as it could be understood. */
  readonly job: KrontabJob | undefined
}

/** Reads one job and reports every problem of its line. `namesTaken` are lines by name. */
function parseLine(line: SourceLine, namesTaken: ReadonlyMap<string, number>): ParsedLine {
  const { schedule, restOffset } = splitSchedule(line.text)
  const fields = readFields(line, restOffset)
  const { name } = fields.draft.given
  const identity = `${line.file}:${name ?? 'unnamed'}`
  const job = compiled(line, schedule, identity, fields)
  // A modifier that is not closed takes the fields with it: one problem, not three.
  if (job !== undefined || restOffset < line.text.length) requireFields(line, fields)
  if (name !== undefined) checkName(line, name, namesTaken.get(name), fields)
  if (name === undefined || job === undefined || fields.command === undefined) {
    return { name, job: undefined }
  }
  const start = schedule.length - schedule.trimStart().length
  return {
    name,
    job: Object.freeze({
      ...jobFieldsOf(name, fields.draft),
      identity,
      job,
      command: fields.command,
      schedulePlace: placeIn(line, { start, end: schedule.length }),
      commandPlace: placeIn(line, fields.spans.get('command')!),
    }),
  }
}

function compiled(
  line: SourceLine,
  schedule: string,
  identity: string,
  { spans }: ReadFields,
): Job | undefined {
  return attempt(
    line,
    () => compileSchedule(schedule, identity),
    (error) => {
      const isAboutName = error.details.field === 'identity'
      return (isAboutName ? spans.get('name') : undefined) ?? errorSpan(schedule, error)
    },
  )
}

const examples = { name: 'name=backup', command: 'command=/usr/local/bin/backup' } as const

function requireFields(line: SourceLine, { spans, meant }: ReadFields): void {
  const start = line.text.trimEnd().length
  for (const name of ['name', 'command'] as const) {
    if (spans.has(name) || meant.has(name)) continue
    const details = { field: name, allowed: `a value for ${name}` }
    const message = `${name} is missing, add ${examples[name]}`
    const error = new ConfigurationError('KRON_FIELD_MISSING', message, details)
    line.report({ start, end: start + 1 }, error)
  }
}

function checkName(
  line: SourceLine,
  name: string,
  takenOn: number | undefined,
  { spans }: ReadFields,
): void {
  if (takenOn === undefined) return
  const message = `the name ${name} is already used on line ${takenOn}`
  const details = { field: 'name', value: name, allowed: 'a name that is unique in the file' }
  line.report(spans.get('name')!, new ConfigurationError('KRON_NAME_REPEATED', message, details))
}
