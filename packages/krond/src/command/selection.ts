import { badArgument, kindOfPath } from '@kron/command'
import {
  ConfigurationError,
  formatSchedule,
  KronError,
  parseSchedule,
  quotePath,
  suggestion,
} from '@kron/core'
import { findingLines, type NamedJob } from '@kron/preview'
import { counted, excerpt } from '@kron/runtime'
import {
  compileSchedule,
  errorSpan,
  findingOf,
  findKrontabs,
  type KrontabFile,
  type KrontabJob,
  krontabExtension,
  messageInLine,
  readKrontabs,
} from '../krontab/index.js'
import { defaultKrontabFolder, systemKrontabFolder } from './folders.js'
import type { Invocation } from './invocation.js'

/** The krontabs of `paths`, of `--file`, or of the folder that is looked at by default. */
export function selectKrontabs(
  invocation: Invocation,
  paths: readonly string[] = invocation.fileArguments,
): KrontabFile[] {
  const { files } = invocation.host
  const chosen = paths.length > 0 ? paths.map((path) => invocation.absolute(path)) : undefined
  const roots = chosen ?? [defaultFolder(invocation)]
  const found = findKrontabs(roots, files)
  if (found.length === 0) {
    const shown = roots.map((path) => invocation.shown(path)).join(', ')
    throw badArgument('--file', `no ${krontabExtension} files in ${shown}`, whereFilesAre)
  }
  return readKrontabs(found, files)
}

const whereFilesAre = `hint: name a file or folder with --file; in folders, files that end in \
${krontabExtension} are read`

function defaultFolder({ host }: Invocation): string {
  const folder = defaultKrontabFolder(host)
  if (kindOfPath(folder, host.files) === 'folder') return folder
  throw badArgument(
    '--file',
    `no krontabs: the folder ${folder} does not exist`,
    'hint: name a file or folder with --file; krontab add creates the folder',
    ...(host.uid === 0 ? [] : [`hint: the krontabs of the system are in ${systemKrontabFolder}`]),
  )
}

/** Whether an argument is a schedule and not a name: it has white space or begins with `@`. */
export function isScheduleText(argument: string): boolean {
  return /\s/.test(argument) || argument.startsWith('@')
}

export function selectJob(
  invocation: Invocation,
  argument: string,
  identity: string | undefined,
): NamedJob {
  if (isScheduleText(argument)) return fromText(invocation, argument, identity)
  if (identity !== undefined) {
    const hint = `hint: the identity of a job in a krontab is its file and name`
    throw badArgument('--identity', '--identity goes with a schedule text, not with a name', hint)
  }
  const files = selectKrontabs(invocation)
  const entry = findEntry(invocation, files, argument)
  mentionProblems(invocation, files)
  return { name: entry.name, job: entry.job, schedule: formatSchedule(entry.job.spec) }
}

function fromText(invocation: Invocation, text: string, identity: string | undefined): NamedJob {
  try {
    const schedule = formatSchedule(parseSchedule(text))
    return { name: null, job: compileSchedule(text, identity ?? schedule), schedule }
  } catch (error) {
    throw scheduleFailure(invocation, text, error, { schedule: 'job', identity: '--identity' })
  }
}

/** What is wrong with a schedule of the command line, with a mark; `names` are its arguments. */
export function scheduleFailure(
  invocation: Invocation,
  text: string,
  error: unknown,
  names: { readonly schedule: string; readonly identity: string },
): unknown {
  if (!(error instanceof KronError)) return error
  if (error.details.field === 'identity') return badArgument(names.identity, error.message)
  const { start, end } = errorSpan(text, error)
  const marked = { source: text, column: start + 1, length: end - start }
  const width = invocation.host.stderr.columns - 2
  const lines = excerpt(marked, width, invocation.errorStyle, 'error')
  return badArgument(names.schedule, messageInLine(error), ...lines.map((line) => `  ${line}`))
}

function findEntry(
  invocation: Invocation,
  files: readonly KrontabFile[],
  wanted: string,
): KrontabJob {
  const all = files.flatMap((file) => file.jobs)
  const found = all.filter((entry) => entry.name === wanted || entry.identity === wanted)
  if (found.length === 1) return found[0]!
  if (found.length > 1) throw ambiguous(wanted, found)
  const broken = files.find((file) => file.broken.some(({ name }) => name === wanted))
  if (broken !== undefined) throw brokenJob(invocation, broken, wanted)
  const names = all.map((entry) => entry.name)
  const where = files.map((file) => invocation.shown(file.path))
  const places = where.length > 3 ? counted(where.length, 'file') : where.join(', ')
  mentionProblems(invocation, files)
  throw new ConfigurationError(
    'KRON_JOB_UNKNOWN',
    `no job ${quotePath(wanted)} in ${places}${suggestion(wanted, new Set(names))}`,
    {
      field: 'job',
      value: wanted,
      hint: 'hint: a schedule itself goes in quotes, such as "0 3 * * * @win(after,2h)"',
    },
  )
}

function ambiguous(wanted: string, found: readonly KrontabJob[]): ConfigurationError {
  const identities = found.map((entry) => `  ${entry.identity}`)
  return new ConfigurationError(
    'KRON_JOB_UNKNOWN',
    `${found.length} jobs have the name ${quotePath(wanted)}`,
    { field: 'job', value: wanted, hint: ['hint: use one of', ...identities].join('\n') },
  )
}

function brokenJob(invocation: Invocation, file: KrontabFile, wanted: string): ConfigurationError {
  const { line } = file.broken.find(({ name }) => name === wanted)!
  const problems = file.problems.filter((problem) => problem.line === line)
  const lines = problems.flatMap((problem) =>
    findingLines(
      findingOf(problem),
      invocation.shown(problem.file),
      invocation.host.stderr.columns,
      invocation.errorStyle,
    ),
  )
  return new ConfigurationError('KRON_KRONTAB_SYNTAX', `the job ${wanted} has errors`, {
    field: 'job',
    value: wanted,
    hint: lines.join('\n'),
  })
}

/** The answer about one job stands, but the file has others that are left out. */
export function mentionProblems(invocation: Invocation, files: readonly KrontabFile[]): number {
  const problems = files.reduce((sum, file) => sum + file.problems.length, 0)
  if (problems > 0) {
    const left = `${counted(problems, 'error')} in these files, the jobs concerned are left out`
    invocation.complain(left, ['hint: krontab lint shows them'])
  }
  return problems
}
