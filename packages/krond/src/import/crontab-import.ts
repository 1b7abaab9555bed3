import { basename } from 'node:path'
import { formatSchedule } from '@kron/core'
import { type CrontabFile, free, nameOfCommand } from '../crontab/index.js'
import type { KrontabJob, LineField } from '../krontab/index.js'
import { type ImportedFile, type ImportedJob, leftOutComment, withInput } from './imported-file.js'

/** The lines of a crontab as lines of a krontab. `taken` are names that others have already. */
export function importedCrontab(file: CrontabFile, taken: Set<string>): ImportedFile {
  const nameFor = plainNames(file.jobs)
  const lines = file.lines.flatMap((line): ImportedFile['lines'] => {
    if (line.kind === 'text') return [{ kind: 'text', text: line.text.trimEnd() }]
    if (line.kind === 'left-out') return [leftOutComment(line.reason, line.text)]
    // Variables go to each job below them.
    return line.kind === 'job' ? [importedJob(line.job, nameFor(line.job), file.path, taken)] : []
  })
  return { lines, problems: file.problems, notices: file.notices }
}

/**
 * A krontab has its names in writing: they need not say all that a line of a crontab is. So a job
 * has the short name that its command gives, unless others of the file have the same.
 */
function plainNames(jobs: readonly KrontabJob[]): (job: KrontabJob) => string {
  const counts = new Map<string, number>()
  for (const job of jobs) counts.set(plainName(job), (counts.get(plainName(job)) ?? 0) + 1)
  return (job) => (counts.get(plainName(job)) === 1 ? plainName(job) : job.name)
}

function plainName({ commandPlace: { source, column, length } }: KrontabJob): string {
  return nameOfCommand(source.slice(column - 1, column - 1 + length))
}

function importedJob(
  entry: KrontabJob,
  name: string,
  path: string,
  taken: Set<string>,
): ImportedJob {
  const { job, schedulePlace } = entry
  return {
    kind: 'job',
    name: nameIn(path, name, taken),
    schedule: formatSchedule(job.spec),
    fields: fieldsOf(entry),
    job,
    place: { file: path, line: schedulePlace.line },
  }
}

/** Its own name, or with the name of its file before it when another file has it too. */
function nameIn(path: string, name: string, taken: Set<string>): string {
  if (!taken.has(name)) return free(name, taken)
  const file = basename(path)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return free(`${file}/${name}`, taken)
}

function fieldsOf({ command, stdin, user, cwd, env, description }: KrontabJob): LineField[] {
  const text = command.kind === 'shell' ? command.text : command.words.join(' ')
  const shell = env['SHELL'] ?? '/bin/sh'
  return [
    ['command', stdin === undefined ? text : withInput(text, stdin, shell)],
    ['shell', 'true'],
    ...(user === undefined ? [] : [['user', user] as const]),
    ...(cwd === undefined ? [] : [['cwd', cwd] as const]),
    ...Object.entries(env).map(([name, value]): LineField => ['env', `${name}=${value}`]),
    ...(description === undefined ? [] : [['description', description] as const]),
  ]
}
