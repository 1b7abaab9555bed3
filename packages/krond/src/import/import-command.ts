import { badArgument, type ExitCode, exitCodes, kindOfPath, zoneArgument } from '@kron/command'
import { quotePath } from '@kron/core'
import { findingLines } from '@kron/preview'
import { counted } from '@kron/runtime'
import type { Invocation } from '../command/invocation.js'
import { type CrontabFormat, findCrontabs, readCrontabs } from '../crontab/index.js'
import { putText } from '../edit/krontab-text.js'
import { findingOf } from '../krontab/index.js'
import { importedCrontab } from './crontab-import.js'
import type { ImportedFile, ImportedJob } from './imported-file.js'
import { checkImport, krontabTextOf } from './krontab-text.js'
import { importedTimer } from './systemd/timer-import.js'

export interface ImportOptions {
  readonly systemd?: readonly string[]
  readonly systemFormat?: boolean
  readonly userFormat?: boolean
  readonly user?: string
  readonly timezone?: string
  readonly out?: string
  readonly force: boolean
}

interface Import {
  readonly heading: string
  readonly file: ImportedFile
}

/** `krontab import <path>... [--systemd <unit.timer>] [--out <file.krontab>]`. */
export function importCommand(
  invocation: Invocation,
  paths: readonly string[],
  options: ImportOptions,
): ExitCode {
  const out = options.out === undefined ? null : outputPath(invocation, options)
  const imports = importsOf(invocation, paths, options)
  const problems = imports.flatMap(({ file }) => file.problems)
  const jobs = imports.flatMap(({ file }) => file.lines.filter((line) => line.kind === 'job'))
  if (problems.length > 0) {
    report(invocation, imports, null, jobs)
    return exitCodes.refused
  }
  const text = krontabTextOf(imports)
  checkImport(text, out ?? invocation.absolute('imported.krontab'), jobs, invocation.now)
  if (out !== null) putText(invocation, out, text, options.force ? undefined : null, true)
  report(invocation, imports, { text, out }, jobs)
  return exitCodes.success
}

function outputPath(invocation: Invocation, { out = '', force }: ImportOptions): string {
  const path = invocation.absolute(out)
  if (force || kindOfPath(path, invocation.host.files) === 'missing') return path
  const hint = 'hint: --force overwrites it'
  throw badArgument('--out', `${quotePath(out)} exists already, nothing was written`, hint)
}

function importsOf(
  invocation: Invocation,
  paths: readonly string[],
  options: ImportOptions,
): Import[] {
  const timers = options.systemd ?? []
  if (paths.length + timers.length === 0) {
    const hint = 'hint: krontab import /etc/crontab /etc/cron.d, or --systemd <unit.timer>'
    throw badArgument('paths', 'nothing to import', hint)
  }
  const { files } = invocation.host
  const timezone =
    options.timezone === undefined
      ? invocation.host.timezone()
      : zoneArgument('--timezone', options.timezone).name
  const format = formatOf(options)
  const found = findCrontabs(
    paths.map((path) => invocation.absolute(path)),
    files,
  )
  const taken = new Set<string>()
  const crontabs = readCrontabs(found, files, {
    timezone,
    ...(format !== undefined && { format }),
    ...(options.user !== undefined && { user: options.user }),
  })
  return [
    ...crontabs.map((file) => ({
      heading: `from ${file.path}`,
      file: importedCrontab(file, taken),
    })),
    ...timers.map((timer) => {
      const path = invocation.absolute(timer)
      return { heading: `from ${path}`, file: importedTimer(path, files, timezone, taken) }
    }),
  ]
}

function formatOf({ systemFormat, userFormat }: ImportOptions): CrontabFormat | undefined {
  if (systemFormat && userFormat) {
    throw badArgument('--user-format', '--user-format and --system-format exclude each other')
  }
  return systemFormat ? 'system' : userFormat ? 'user' : undefined
}

function report(
  invocation: Invocation,
  imports: readonly Import[],
  made: { readonly text: string; readonly out: string | null } | null,
  jobs: readonly ImportedJob[],
): void {
  const problems = imports.flatMap(({ file }) => file.problems)
  const notices = imports.flatMap(({ file }) => file.notices)
  if (invocation.format === 'json') {
    invocation.printJson({
      out: made?.out ?? null,
      krontab: made?.text ?? null,
      jobs: jobs.map(({ name, schedule, place }) => ({ name, schedule, ...place })),
      warnings: notices.map(({ source: _, ...notice }) => notice),
      errors: problems.map(({ source: _, ...problem }) => problem),
    })
    return
  }
  const { stderr } = invocation.host
  const style = invocation.errorStyle
  const lines = problems.flatMap((problem) =>
    findingLines(findingOf(problem), invocation.shown(problem.file), stderr.columns, style),
  )
  for (const { file, line, column, message } of notices) {
    const place = style('strong', `${invocation.shown(file)}:${line}:${column}:`)
    lines.push(`${place} ${style('warning', 'warning:')} ${message}`)
  }
  if (lines.length > 0) stderr.write(`${lines.join('\n')}\n`)
  if (made === null) {
    const left = `${counted(problems.length, 'error')}, nothing was written`
    invocation.complain(left, ['hint: correct these lines, or remove them, and import again'])
  } else if (made.out === null) invocation.host.stdout.write(made.text)
  else {
    const what = `${counted(jobs.length, 'job')} to ${invocation.shown(made.out)}`
    invocation.printLines([`wrote ${what}; the next 100 runs of each are the same`])
  }
}
