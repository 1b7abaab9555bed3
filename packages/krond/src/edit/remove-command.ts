import { badArgument, type ExitCode, exitCodes } from '@kron/command'
import { ConfigurationError, formatSchedule, quotePath, suggestion } from '@kron/core'
import type { Invocation } from '../command/invocation.js'
import { selectKrontabs } from '../command/selection.js'
import type { KrontabFile, KrontabJob } from '../krontab/index.js'
import { nextRun, nextRunJson, nextRunText } from './add-command.js'
import { putText, textToEdit } from './krontab-text.js'

/** A line of a file that has the name, whether or not the line is valid. */
interface Found {
  readonly path: string
  readonly line: number
  readonly name: string
  readonly entry: KrontabJob | undefined
}

/** `krontab remove <name> [--file <path>]`. */
export function removeCommand(invocation: Invocation, wanted: string): ExitCode {
  const files = selectKrontabs(invocation)
  const found = files.flatMap((file) => linesOf(file, wanted))
  const [only, ...others] = found
  if (only === undefined) throw unknown(invocation, files, wanted)
  if (others.length > 0) throw ambiguous(invocation, wanted, found)
  const before = textToEdit(invocation, only.path) ?? ''
  putText(invocation, only.path, withoutLine(before, only.line), before)
  print(invocation, only)
  return exitCodes.success
}

function linesOf({ path, jobs, broken }: KrontabFile, wanted: string): Found[] {
  const valid = jobs
    .filter(({ name, identity }) => name === wanted || identity === wanted)
    .map((entry) => ({ path, line: entry.schedulePlace.line, name: entry.name, entry }))
  const invalid = broken
    .filter(({ name }) => name === wanted || `${path}:${name}` === wanted)
    .map(({ name, line }) => ({ path, line, name, entry: undefined }))
  return [...valid, ...invalid]
}

/** The text without one line and its end; all else stays byte for byte. */
export function withoutLine(text: string, line: number): string {
  let start = 0
  for (let at = 1; at < line; at++) start = text.indexOf('\n', start) + 1
  const end = text.indexOf('\n', start)
  const mark = start === 0 && text.startsWith('\ufeff') ? '\ufeff' : ''
  return text.slice(0, start) + mark + (end < 0 ? '' : text.slice(end + 1))
}

function unknown(
  invocation: Invocation,
  files: readonly KrontabFile[],
  wanted: string,
): ConfigurationError {
  const names = new Set(
    files.flatMap(({ jobs, broken }) => [...jobs, ...broken].map((job) => job.name)),
  )
  const where =
    files.length > 3 ? `${files.length} files` : shownPaths(invocation, files).join(', ')
  const message = `no job ${quotePath(wanted)} in ${where}${suggestion(wanted, names)}`
  return new ConfigurationError('KRON_JOB_UNKNOWN', message, { field: 'job', value: wanted })
}

function ambiguous(
  invocation: Invocation,
  wanted: string,
  found: readonly Found[],
): ConfigurationError {
  const paths = [...new Set(shownPaths(invocation, found))]
  if (paths.length === 1) {
    const lines = found.map(({ line }) => line).join(' and ')
    return badArgument(
      'job',
      `${paths[0]} has ${quotePath(wanted)} on lines ${lines}`,
      'hint: edit the file',
    )
  }
  const message = `${paths.length} files have a job ${quotePath(wanted)}`
  const hints = paths.map((path) => `  --file ${path}`)
  return badArgument('job', message, ['hint: say which one, with', ...hints].join('\n'))
}

const shownPaths = (invocation: Invocation, files: readonly { path: string }[]): string[] =>
  files.map(({ path }) => invocation.shown(path))

function print(invocation: Invocation, { path, line, name, entry }: Found): void {
  const run = entry === undefined ? null : nextRun(entry.job, invocation.now)
  if (invocation.format === 'json') {
    const schedule = entry === undefined ? null : formatSchedule(entry.job.spec)
    const about = { name, identity: `${path}:${name}`, schedule }
    invocation.printJson({ file: path, line, ...about, nextRun: nextRunJson(run) })
    return
  }
  invocation.printLines([
    `removed ${name} from ${invocation.shown(path)}, line ${line}`,
    ...(entry === undefined ? [] : [`next run would have been: ${nextRunText(entry.job, run)}`]),
  ])
}
