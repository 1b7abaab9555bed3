import { existsSync } from 'node:fs'
import { ConfigurationError, KronError, quotePath } from '@kron/core'
import { findCrontabs, readCrontabs } from '../crontab/index.js'
import type { HostJob } from '../daemon/index.js'
import {
  findKrontabs,
  type KrontabFile,
  type KrontabJob,
  krontabExtension,
  type Problem,
  readKrontabs,
} from '../krontab/index.js'
import {
  type Accounts,
  resolveAccount,
  type Self,
  selfOf,
  systemAccounts,
} from '../process/index.js'
import { trustedFiles } from '../trust/trusted-files.js'
import type { Configuration } from './configuration.js'

/** Files and folders, absolute. */
export interface ConfigurationSources {
  readonly krontabs: readonly string[]
  /** Cron's own files, read as they are. */
  readonly crontabs: readonly string[]
}

export interface ConfigurationPorts {
  readonly accounts: Accounts
  readonly self: Self
  /** Of jobs in crontabs that name none. */
  readonly timezone: string
}

/** With the accounts of this machine, looked up again each time. */
export function configurationPorts(timezone: string): ConfigurationPorts {
  return { accounts: systemAccounts(), self: selfOf(), timezone }
}

/**
 * All jobs of all files, as far as they are valid and nobody else could have written them. Throws
 * only when a file or folder that was named does not exist.
 */
export function readConfiguration(
  { krontabs, crontabs }: ConfigurationSources,
  { accounts, self, timezone }: ConfigurationPorts,
): Configuration {
  const files = trustedFiles(self.uid)
  const isUser = (name: string): boolean => accounts.user(name) !== null
  const fromCron = readCrontabs(findCrontabs(crontabs, files), files, { timezone, isUser })
  const read: KrontabFile[] = [
    ...readKrontabs(findKrontabs(krontabs.map(existing), files), files),
    ...fromCron,
  ]
  const notices = fromCron.flatMap((file) =>
    file.notices.map(({ line, message }) => `${file.path}:${line}: ${message}`),
  )
  const jobs: HostJob[] = []
  const problems: KronError[] = []
  for (const file of read) {
    problems.push(...file.problems.map((problem) => problemError(problem, file)))
    for (const entry of file.jobs) {
      try {
        jobs.push(hostJobOf(entry, accounts, self))
      } catch (error) {
        if (!(error instanceof KronError)) throw error
        problems.push(accountError(entry, error))
      }
    }
  }
  if (jobs.length + problems.length === 0) notices.push(noJobs({ krontabs, crontabs }))
  return { jobs, problems, notices }
}

/** A folder that is missing is mostly the usual one, before the first job was added. */
function existing(path: string): string {
  if (existsSync(path) || path.endsWith(krontabExtension)) return path
  const advice = 'krontab add creates the default folder; --file names another file or folder'
  const message = `there is no folder ${quotePath(path)} with krontabs: ${advice}`
  throw new ConfigurationError('KRON_FILE_UNREADABLE', message, { field: '--file', value: path })
}

/** A daemon may start without jobs and get them by a reload, but the log should say so. */
function noJobs({ krontabs, crontabs }: ConfigurationSources): string {
  const [first] = krontabs
  const example = '"0 3 * * *" --name backup --command /usr/local/bin/backup'
  const way = first === undefined ? 'add a line' : `krontab add ${example} --file ${first}`
  const where = [...krontabs, ...crontabs].join(', ')
  return `there is nothing to run: no job in ${where}; to add one: ${way}, then krond reload`
}

/** Both name the place as compilers do, so that editors and people find it. */
function problemError(
  { file, line, column, message, code }: Problem,
  { broken }: KrontabFile,
): KronError {
  const job = broken.find((one) => one.line === line)
  return new ConfigurationError(code, `${file}:${line}:${column}: ${message}`, {
    field: 'file',
    file,
    line,
    column,
    ...(job !== undefined && { name: job.name, identity: `${file}:${job.name}` }),
  })
}

function accountError({ identity, name, schedulePlace }: KrontabJob, error: KronError): KronError {
  const { file, line } = schedulePlace
  const message = `${file}:${line}: job ${name}: ${error.message}`
  return new ConfigurationError(error.code, message, {
    ...error.details,
    file,
    line,
    name,
    identity,
  })
}

/** A job with its account looked up; throws a ConfigurationError when it may not have that. */
export function hostJobOf(entry: KrontabJob, accounts: Accounts, self: Self): HostJob {
  const { identity, name, job, command, user, group, cwd, env, umask, timeoutMs } = entry
  return {
    identity,
    name,
    job,
    settings: {
      command,
      account: resolveAccount({ user, group }, accounts, self),
      cwd: cwd ?? null,
      env,
      umask: umask ?? null,
      timeoutMs: timeoutMs ?? null,
      stdout: entry.stdout,
      stderr: entry.stderr,
      stdin: entry.stdin ?? null,
    },
  }
}
