import { type Finding, warningAt } from '@kron/preview'
import { shellScriptWords } from './shell-script-word.js'
import type { KrontabRule } from './subject.js'

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
