import { KronError } from '@kron/core'
import { type Finding, sameTime, scheduleRules, warningAt } from '@kron/preview'
import type { CrontabFile } from '../crontab/index.js'
import {
  compileSchedule,
  errorSpan,
  findingOf,
  type KrontabFile,
  messageInLine,
} from '../krontab/index.js'
import { replaceGrace, shellSyntax } from './command-rules.js'
import { ScheduleSubject } from './subject.js'

export interface LintResult {
  /** In the order of the files and of their lines. */
  readonly findings: readonly Finding[]
  readonly files: number
  readonly jobs: number
  /** Schedules that were given as text. */
  readonly schedules: number
}

/** Where a schedule of the command line stands: it has no file. */
export const scheduleFile = '<schedule>'

export interface LintInput {
  readonly files: readonly KrontabFile[]
  /** Of these only what keeps a job from running, and what cron does otherwise. */
  readonly crontabs?: readonly CrontabFile[]
  readonly schedules: readonly string[]
  readonly now: number
}

export function lint({ files, crontabs = [], schedules, now }: LintInput): LintResult {
  const findings: Finding[] = []
  const subjects: ScheduleSubject[] = []
  for (const text of schedules) {
    const subject = subjectOf(text)
    if (subject instanceof ScheduleSubject) findings.push(...judge(subject, now))
    else findings.push(subject)
  }
  const crowded = new Map<string, Finding[]>()
  for (const file of files) {
    for (const entry of file.jobs) {
      subjects.push(new ScheduleSubject(entry.job, entry.schedulePlace, entry))
    }
    crowded.set(file.path, [])
  }
  for (const finding of sameTime(subjects)) crowded.get(finding.file)?.push(finding)
  let next = 0
  for (const file of files) {
    const ofFile = [...file.problems.map(findingOf), ...crowded.get(file.path)!]
    for (const _ of file.jobs) ofFile.push(...judge(subjects[next++]!, now))
    findings.push(...ofFile.sort((a, b) => a.line - b.line || a.column - b.column))
  }
  for (const crontab of crontabs) findings.push(...ofCrontab(crontab))
  const jobs = crontabs.reduce((sum, { jobs: some }) => sum + some.length, subjects.length)
  const fileCount = files.length + crontabs.length
  return { findings, files: fileCount, jobs, schedules: schedules.length }
}

/** A crontab has no modifiers that could be advised, and keeps the times that cron gives it. */
function ofCrontab({ problems, notices }: CrontabFile): Finding[] {
  const warnings = notices.map(({ message, ...place }) =>
    warningAt(place, 'KRON_WARN_CRONTAB', message),
  )
  return [...problems.map(findingOf), ...warnings].sort(
    (a, b) => a.line - b.line || a.column - b.column,
  )
}

const judge = (subject: ScheduleSubject, now: number): Finding[] => [
  ...scheduleRules.flatMap((rule) => rule(subject, now)),
  ...shellSyntax(subject),
  ...replaceGrace(subject),
]

function subjectOf(source: string): ScheduleSubject | Finding {
  const place = { file: scheduleFile, line: 1, column: 1, length: source.length, source }
  try {
    return new ScheduleSubject(compileSchedule(source, scheduleFile), place)
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    const { start, end } = errorSpan(source, error)
    const { code, category } = error
    const marked = { ...place, column: start + 1, length: end - start }
    return { ...marked, severity: 'error', code, category, message: messageInLine(error) }
  }
}
