import { badArgument, type ExitCode, exitCodes, kindOfPath, secondsArgument } from '@kron/command'
import { limits } from '@kron/core'
import { counted } from '@kron/runtime'
import { pathText } from '../../kronjob/manifest/problem.js'
import type { KronctlInvocation } from '../invocation.js'
import type { SourceOptions } from '../source/index.js'
import { type Conversion, Refusal } from './conversion.js'
import { convertCronJob } from './convert-cron-job.js'
import { cronJobParts } from './cron-job.js'
import {
  complainNotes,
  manifestsText,
  type OutputFormat,
  outputFormat,
  switchOverLines,
} from './import-output.js'
import { selectCronJobs } from './select-cron-jobs.js'

export interface ImportOptions extends SourceOptions {
  readonly window?: string
  readonly output?: string
  readonly out?: string
  readonly force: boolean
}

interface Imported {
  readonly title: string
  readonly result: Conversion | Refusal
}

/** `kronctl import [names...] [-f <path>] [--window 30m] [-o yaml|json] [--out <file>]`. */
export async function importCommand(
  invocation: KronctlInvocation,
  names: readonly string[],
  options: ImportOptions,
): Promise<ExitCode> {
  const { window } = options
  const windowMs =
    window === undefined ? null : secondsArgument('--window', window, 1000, limits.windowMs)
  const output = outputFormat(options.output, options.format)
  checkOut(invocation, options)
  const { found, broken } = await selectCronJobs(invocation, names, options)
  const imported = found.map((value): Imported => {
    const result = convertCronJob(value, { now: invocation.now, windowMs })
    return { title: cronJobParts(value).title, result }
  })
  print(invocation, imported, output, options.out)
  for (const { title, result } of imported) {
    if (!(result instanceof Refusal)) continue
    const hints = result.hint === null ? [] : [result.hint]
    invocation.complain(`${title} is not converted: ${result.reason}`, hints)
  }
  const refused = imported.some(({ result }) => result instanceof Refusal)
  return refused || broken > 0 ? exitCodes.refused : exitCodes.success
}

function checkOut(invocation: KronctlInvocation, { out, force }: ImportOptions): void {
  if (out === undefined || force) return
  if (kindOfPath(invocation.absolute(out), invocation.host.files) === 'missing') return
  throw badArgument('--out', `${out} exists`, 'hint: --force overwrites it')
}

function print(
  invocation: KronctlInvocation,
  imported: readonly Imported[],
  output: OutputFormat,
  out: string | undefined,
): void {
  const converted = imported.flatMap(({ result }) => (result instanceof Refusal ? [] : [result]))
  const text = manifestsText(converted, output)
  const path = out === undefined || converted.length === 0 ? null : invocation.writeFile(out, text)
  if (invocation.format === 'json') {
    invocation.printJson(reportJson(imported))
    return
  }
  if (converted.length === 0) return
  if (path === null) invocation.host.stdout.write(text)
  else {
    const what = counted(converted.length, 'KronJob')
    invocation.printLines([`wrote ${what} to ${invocation.shown(path)}`])
  }
  if (output === 'json') {
    for (const { title, result } of imported) {
      if (!(result instanceof Refusal)) complainNotes(invocation, title, result)
    }
  }
  const file = path === null ? null : invocation.shown(path)
  if (!invocation.quiet) {
    invocation.host.stderr.write(`${switchOverLines(converted, file).join('\n')}\n`)
  }
}

function reportJson(imported: readonly Imported[]): object {
  const kronJobs = imported.flatMap(({ title, result }) => {
    if (result instanceof Refusal) return []
    const notes = result.notes.map(({ path, message }) => ({ field: pathText(path), message }))
    return [{ cronJob: title, manifest: result.kronJob, notes }]
  })
  const refused = imported.flatMap(({ title, result }) =>
    result instanceof Refusal ? [{ cronJob: title, reason: result.reason, hint: result.hint }] : [],
  )
  return { kronJobs, refused }
}
