/** A `NAME=value` line, taken apart as cron does it. */
export interface Variable {
  readonly name: string
  readonly value: string
}

const assignment =
  /^\s*(?:"(?<double>[^"=]*)"|'(?<single>[^'=]*)'|(?<bare>[^\s="'][^\s=]*))\s*=\s*(?<rest>.*)$/

/**
 * Quotes around the name or the value are taken off, white space around both is not part of them,
 * and nothing is expanded. null when the line is something else, such as a schedule.
 */
export function variableOf(line: string): Variable | null {
  const groups = assignment.exec(line)?.groups
  if (groups === undefined) return null
  const name = groups['double'] ?? groups['single'] ?? groups['bare'] ?? ''
  const value = unquoted(groups['rest'] ?? '')
  return name === '' || value === null ? null : { name, value }
}

function unquoted(text: string): string | null {
  const quote = text[0]
  if (quote !== '"' && quote !== "'") return text.trimEnd()
  const end = text.indexOf(quote, 1)
  if (end < 0) return null
  return text.slice(end + 1).trim() === '' ? text.slice(1, end) : null
}
