import { join } from 'node:path'
import { badArgument, type ExitCode, exitCodes, kindOfPath } from '@kron/command'
import {
  type ChosenPeriod,
  ConfigurationError,
  formatInstant,
  formatSchedule,
  type Job,
  nextChosenPeriod,
  quote,
  splitSchedule,
} from '@kron/core'
import { findingLines, formatLocalShort } from '@kron/preview'
import { defaultKrontabFolder } from '../command/folders.js'
import type { Invocation } from '../command/invocation.js'
import { scheduleFailure } from '../command/selection.js'
import {
  compileSchedule,
  findingOf,
  formatLine,
  type KrontabFile,
  type KrontabJob,
  type LineField,
  parseKrontab,
} from '../krontab/index.js'
import { putText, textToEdit } from './krontab-text.js'

export interface AddOptions {
  readonly name: string
  readonly command: string
  readonly shell: boolean
  readonly user?: string
  readonly group?: string
  readonly cwd?: string
  readonly env?: readonly string[]
  readonly umask?: string
  readonly timeout?: string
  readonly stdout?: string
  readonly stderr?: string
  readonly description?: string
}

const defaultFile = 'jobs.krontab'

/** `krontab add "<schedule>" --name <id> --command <command line> [--file <path>]`. */
export function addCommand(
  invocation: Invocation,
  schedule: string,
  options: AddOptions,
): ExitCode {
  const path = targetOf(invocation)
  const before = textToEdit(invocation, path)
  checkSchedule(invocation, schedule, `${path}:${options.name}`)
  const line = formatted(schedule, options)
  const text = `${withLineEnd(before ?? '')}${line}${lineEndOf(before)}`
  const number = text.split('\n').length - 1
  const entry = checkLine(invocation, parseKrontab(text, path), number)
  putText(invocation, path, text, before)
  print(invocation, path, number, before === null, entry)
  return exitCodes.success
}

function targetOf(invocation: Invocation): string {
  const { host, fileArguments } = invocation
  const [named, ...others] = fileArguments
  if (others.length > 0) throw badArgument('--file', 'add writes to one --file')
  if (named === undefined) {
    return join(defaultKrontabFolder(host), defaultFile)
  }
  const path = invocation.absolute(named)
  return kindOfPath(path, host.files) === 'folder' ? join(path, defaultFile) : path
}

/** Says what is wrong with the schedule itself, before it is part of a line. */
function checkSchedule(invocation: Invocation, schedule: string, identity: string): void {
  const { rest } = splitSchedule(schedule)
  if (rest !== '') {
    const hint = 'hint: fields are given as options, such as --user or --env'
    throw badArgument('schedule', `the schedule has ${quote(rest)} in it`, hint)
  }
  try {
    compileSchedule(schedule, identity)
  } catch (error) {
    throw scheduleFailure(invocation, schedule, error, { schedule: 'schedule', identity: '--name' })
  }
}

function formatted(schedule: string, options: AddOptions): string {
  const single = ['user', 'group', 'cwd', 'umask', 'timeout', 'stdout', 'stderr', 'description']
  const given = options as unknown as Readonly<Record<string, string | undefined>>
  const fields: LineField[] = [
    ['name', options.name],
    ['command', options.command],
    ...(options.shell ? [['shell', 'true'] as const] : []),
    ...single.flatMap((name): LineField[] => {
      const value = given[name]
      return value === undefined ? [] : [[name, value]]
    }),
    ...(options.env ?? []).map((entry): LineField => ['env', entry]),
  ]
  try {
    return formatLine(schedule.replace(/[\r\n]+/g, ' ').trim(), fields)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw badArgument(`--${error.details.field}`, error.message)
  }
}

const withLineEnd = (text: string): string =>
  text === '' || text.endsWith('\n') ? text : `${text}${lineEndOf(text)}`

const lineEndOf = (text: string | null): string => (text?.includes('\r\n') ? '\r\n' : '\n')

/** The new job; errors elsewhere in the file are not this command's. */
function checkLine(invocation: Invocation, file: KrontabFile, number: number): KrontabJob {
  const entry = file.jobs.find(({ schedulePlace }) => schedulePlace.line === number)
  if (entry !== undefined) return entry
  const problems = file.problems.filter(({ line }) => line === number)
  const lines = problems.flatMap((problem) => {
    const { host, errorStyle } = invocation
    const shown = invocation.shown(problem.file)
    return findingLines(findingOf(problem), shown, host.stderr.columns, errorStyle)
  })
  const last = file.problems.at(-1)
  const [first] = problems
  const message = first?.message ?? last?.message ?? 'the line is not a job'
  throw badArgument('job', `nothing was added: ${message}`, ...lines)
}

function print(
  invocation: Invocation,
  path: string,
  line: number,
  created: boolean,
  entry: KrontabJob,
): void {
  const { name, identity, job } = entry
  const run = nextRun(job, invocation.now)
  if (invocation.format === 'json') {
    const schedule = formatSchedule(job.spec)
    invocation.printJson({
      file: path,
      line,
      created,
      name,
      identity,
      schedule,
      nextRun: nextRunJson(run),
    })
    return
  }
  invocation.printLines([
    `added ${name} to ${placeOf(invocation, path)}, line ${line}${created ? ' (a new file)' : ''}`,
    `next run: ${nextRunText(job, run)}`,
  ])
}

/** A file that nobody named is not where somebody is by chance. */
const placeOf = (invocation: Invocation, path: string): string =>
  invocation.fileArguments.length === 0 ? path : invocation.shown(path)

/** The first run from now on, this very moment included; null when there is none. */
export function nextRun(job: Job, now: number): ChosenPeriod | null {
  return job.policy.suspend ? null : nextChosenPeriod(job, now - 1)
}

/** `2026-03-01T03:50:51Z, Sun 03-01 04:50:51 +01:00`. */
export function nextRunText(job: Job, run: ChosenPeriod | null): string {
  if (run === null) return job.policy.suspend ? 'none, it is suspended' : 'none'
  const { chosenTime } = run
  const utc = formatInstant(chosenTime)
  return job.spec.timezone === 'UTC' ? utc : `${utc}, ${formatLocalShort(chosenTime, job.zone)}`
}

export function nextRunJson(run: ChosenPeriod | null): object | null {
  if (run === null) return null
  return { nominal: formatInstant(run.nominalTime), chosen: formatInstant(run.chosenTime) }
}
