import {
  countOf,
  type ExitCode,
  exitCodes,
  findingJson,
  findingLines,
  kindOfPath,
} from '@kron/preview'
import { counted } from '@kron/runtime'
import type { Invocation } from '../cli/invocation.js'
import { isScheduleText } from '../cli/job-selection.js'
import { selectKrontabs } from '../cli/krontab-selection.js'
import { type LintResult, lint, scheduleFile } from './lint.js'

export interface LintOptions {
  readonly strict: boolean
}

/** `krontab lint [files or schedule texts...]`. */
export function lintCommand(
  invocation: Invocation,
  targets: readonly string[],
  { strict }: LintOptions,
): ExitCode {
  const isFile = (target: string): boolean =>
    kindOfPath(invocation.absolute(target), invocation.host.files) !== 'missing'
  const schedules = targets.filter((target) => isScheduleText(target) && !isFile(target))
  const named = targets.filter((target) => !schedules.includes(target))
  const paths = [...invocation.fileArguments, ...named]
  const onlySchedules = schedules.length > 0 && paths.length === 0
  const files = onlySchedules ? [] : selectKrontabs(invocation, paths)
  const result = lint({ files, schedules, now: invocation.now })
  if (invocation.format === 'json') invocation.printJson(result.findings.map(findingJson))
  else invocation.printLines(textOf(invocation, result))
  const worst = strict ? result.findings.length : countOf(result.findings, 'error')
  return worst > 0 ? exitCodes.configuration : exitCodes.success
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
