import { formatDuration } from '@kron/core'
import { type Finding, warningAt } from '@kron/preview'
import { defaultOptions } from '../daemon/ports.js'
import { shellScriptWords } from './shell-script-word.js'
import type { KrontabRule } from './subject.js'

/** What runs gets no more time to end than the deadline of the period that replaces it. */
export const replaceGrace: KrontabRule = (subject): readonly Finding[] => {
  const { concurrency, deadline } = subject.job.spec.policy
  const { graceMs } = defaultOptions
  if (concurrency !== 'replace' || deadline >= graceMs) return []
  const time =
    deadline === 0
      ? 'without a deadline the run before is killed at once'
      : `a deadline of ${formatDuration(deadline)} gives the run before no more time to end`
  return [
    warningAt(
      subject.policyPlace(),
      'KRON_WARN_REPLACE_DEADLINE',
      `${time}, instead of the ${formatDuration(graceMs)} that krond start --grace gives by default`,
      `add a deadline of ${formatDuration(graceMs)} or more to @policy, such as deadline=1m`,
    ),
  ]
}

/** What makes sense only to a shell, where it stands in a quoted command. */
const forAShell = new RegExp(
  [
    /(?<=\s)(?:\|\|?|&&?|;)(?=[\s"]|$)/,
    /(?<=\s)\d?>>?(?:&\d|[^\s"]*)|(?<=\s)<[^\s"]*/,
    /\$[A-Za-z_({][^\s"]*|`[^`"]*`?/,
    /(?<=[\s"])~\/[^\s"]*/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

export const shellSyntax: KrontabRule = ({ entry }): readonly Finding[] => {
  if (entry === undefined || entry.command.kind === 'shell') return []
  const { commandPlace } = entry
  const start = commandPlace.column - 1
  const text = commandPlace.source.slice(start, start + commandPlace.length)
  const scripts = shellScriptWords(text)
  const isRead = (at: number): boolean => scripts.some(({ start, end }) => at >= start && at < end)
  const found = [...text.matchAll(forAShell)].find(({ index }) => !isRead(index))
  if (found === undefined) return []
  const column = commandPlace.column + found.index
  return [
    warningAt(
      { ...commandPlace, column, length: found[0].length },
      'KRON_WARN_SHELL_SYNTAX',
      `no shell reads this command, so that ${found[0]} is passed on as it is`,
      'add shell=true, or put the command line into a script',
    ),
  ]
}
