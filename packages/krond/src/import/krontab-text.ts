import { type Job, SchedulingError, ValidationError } from '@kron/core'
import { wordsOf } from '../krontab/command.js'
import {
  formatLine,
  type KrontabJob,
  krontabLimits,
  type LineField,
  parseKrontab,
} from '../krontab/index.js'
import type { ImportedFile, ImportedJob } from './imported-file.js'

/** The krontab that a number of imported files make, each under a heading. */
export function krontabTextOf(files: readonly { heading: string; file: ImportedFile }[]): string {
  const parts = files.map(({ heading, file }) => {
    const lines = file.lines.map((line) => (line.kind === 'text' ? line.text : lineOf(line)))
    // Where variables stood, several blank lines are left.
    return [`# ${heading}`, ...lines]
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trimEnd()
  })
  return `${parts.join('\n\n')}\n`
}

function lineOf(job: ImportedJob): string {
  const line = formatLine(job.schedule, [['name', job.name], ...job.fields])
  if (line.length <= krontabLimits.lineCharacters) return line
  const allowed = `at most ${krontabLimits.lineCharacters} characters`
  const { file, line: number } = job.place
  throw new ValidationError(
    'KRON_FILE_LIMIT',
    `${file}:${number}: a line must have ${allowed}, with its variables it has ${line.length}`,
    { field: 'line', allowed },
  )
}

const comparedRuns = 100

/**
 * Reads a krontab back and throws unless each job of it is, and runs, as the job that was read from
 * its source. What it guards is the writing; that sources are read as cron does is for tests.
 */
export function checkImport(
  text: string,
  path: string,
  jobs: readonly ImportedJob[],
  from: number,
): void {
  const { jobs: read, problems } = parseKrontab(text, path)
  const [problem] = problems
  if (problem !== undefined) throw broken(`${problem.message} (line ${problem.line})`)
  if (read.length !== jobs.length) throw broken(`${read.length} jobs of ${jobs.length}`)
  for (const [index, wanted] of jobs.entries()) {
    const found = read[index]!
    if (found.name !== wanted.name) throw broken(`${found.name} in place of ${wanted.name}`)
    for (const field of wanted.fields) {
      if (!isKept(found, field)) throw broken(`${wanted.name} has another ${field[0]}`)
    }
    const [expected, actual] = [wanted.job, found.job].map((job) => runsOf(job, from).join())
    if (expected !== actual) throw broken(`${wanted.name} would run at other times`)
    const { identity: _, ...spec } = found.job.spec
    const { identity: __, ...source } = wanted.job.spec
    if (JSON.stringify(spec) !== JSON.stringify(source)) throw broken(`${wanted.name} differs`)
  }
}

/** Whether a job has what its field was meant to say. */
function isKept(found: KrontabJob, [name, value]: LineField): boolean {
  if (name === 'env') {
    const equals = value.indexOf('=')
    return found.env[value.slice(0, equals)] === value.slice(equals + 1)
  }
  if (name === 'command') {
    const { command } = found
    return command.kind === 'shell'
      ? command.text === value
      : command.words.join() === wordsOf(value).join()
  }
  const plain: Readonly<Record<string, string | undefined>> = {
    user: found.user,
    group: found.group,
    cwd: found.cwd,
    description: found.description,
  }
  return !(name in plain) || plain[name] === value
}

/** Nominal times of the periods in which the job runs. */
function runsOf(job: Job, from: number): number[] {
  const runs: number[] = []
  let nominal = job.nextSchedulable(from - 1)
  while (nominal !== null && runs.length < comparedRuns) {
    runs.push(nominal)
    nominal = job.nextSchedulable(nominal)
  }
  return runs
}

function broken(reason: string): SchedulingError {
  const message = `the converted krontab differs from its source: ${reason}`
  return new SchedulingError('KRON_INVARIANT', message, { field: 'import' })
}
