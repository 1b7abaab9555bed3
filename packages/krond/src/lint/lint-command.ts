import { type ExitCode, exitCodes, kindOfPath } from '@kron/command'
import { countOf, findingJson, findingLines } from '@kron/preview'
import { counted } from '@kron/runtime'
import type { Invocation } from '../command/invocation.js'
import { isScheduleText, selectKrontabs } from '../command/selection.js'
import { type CrontabFile, findCrontabs, readCrontabs } from '../crontab/index.js'
import { type LintResult, lint, scheduleFile } from './lint.js'

export interface LintOptions {
  readonly strict: boolean
  readonly crontab?: readonly string[]
}

/** `krontab lint [files or schedule texts...] [--crontab <path>...]`. */
export function lintCommand(
  invocation: Invocation,
  targets: readonly string[],
  { strict, crontab = [] }: LintOptions,
): ExitCode {
  const isFile = (target: string): boolean =>
    kindOfPath(invocation.absolute(target), invocation.host.files) !== 'missing'
  const schedules = targets.filter((target) => isScheduleText(target) && !isFile(target))
  const named = targets.filter((target) => !schedules.includes(target))
  const paths = [...invocation.fileArguments, ...named]
  const isOther = schedules.length + crontab.length > 0 && paths.length === 0
  const files = isOther ? [] : selectKrontabs(invocation, paths)
  const crontabs = crontabsOf(invocation, crontab)
  const result = lint({ files, crontabs, schedules, now: invocation.now })
  if (invocation.format === 'json') invocation.printJson(result.findings.map(findingJson))
  else invocation.printLines(textOf(invocation, result))
  const worst = strict ? result.findings.length : countOf(result.findings, 'error')
  return worst > 0 ? exitCodes.refused : exitCodes.success
}

function crontabsOf(invocation: Invocation, paths: readonly string[]): CrontabFile[] {
  const { host } = invocation
  const found = findCrontabs(
    paths.map((path) => invocation.absolute(path)),
    host.files,
  )
  return readCrontabs(found, host.files, { timezone: host.timezone() })
}

function textOf(invocation: Invocation, result: LintResult): string[] {
  const { style, host } = invocation
  const lines = result.findings.flatMap((finding) => {
    const path = finding.file === scheduleFile ? scheduleFile : invocation.shown(finding.file)
    return [...findingLines(finding, path, host.stdout.columns, style), '']
  })
  return [...lines, summaryOf(result)]
}

function summaryOf(result: LintResult): string {
  const { files, jobs, schedules } = result
  return [
    ...(files > 0 ? [counted(files, 'file'), counted(jobs, 'job')] : []),
    ...(schedules > 0 ? [counted(schedules, 'schedule')] : []),
    counted(countOf(result.findings, 'error'), 'error'),
    counted(countOf(result.findings, 'warning'), 'warning'),
  ].join(', ')
}
