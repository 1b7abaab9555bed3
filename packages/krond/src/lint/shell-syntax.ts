import type { Finding } from '../finding.js'
import type { Rule } from '../subject.js'

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
)

export const shellSyntax: Rule = ({ entry }): readonly Finding[] => {
  if (entry === undefined || entry.command.kind === 'shell') return []
  const { commandPlace } = entry
  const start = commandPlace.column - 1
  const text = commandPlace.source.slice(start, start + commandPlace.length)
  const found = forAShell.exec(text)
  if (found === null) return []
  return [
    {
      ...commandPlace,
      column: commandPlace.column + found.index,
      length: found[0].length,
      severity: 'warning',
      code: 'KRON_WARN_SHELL_SYNTAX',
      message: `no shell reads this command, so that ${found[0]} is passed on as it is`,
      fix: 'add shell=true, or put the command line into a script',
    },
  ]
}
