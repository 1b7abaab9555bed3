import { ValidationError } from '@kron/core'
import type { BrokenJob, KrontabFile, KrontabJob } from './krontab-file.js'
import { krontabLimits } from './limits.js'
import { lineFlaw, linesOf, variableFlaw } from './lines.js'
import { parseLine } from './parse-line.js'
import { ProblemList } from './problem-list.js'
import type { SourceLine } from './source-line.js'

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
