import { entryOf } from './entry-line.js'
import { variableOf } from './environment-line.js'

const longestDescription = 200

/** The comment right above a line, if it is one line of prose and not a line switched off. */
export function descriptionAbove(lines: readonly string[], index: number): string | undefined {
  const comment = textOf(lines[index - 1])
  if (comment === '' || textOf(lines[index - 2]) !== '') return undefined
  if (comment.length > longestDescription || !/\p{L}{2}/u.test(comment)) return undefined
  return isSwitchedOff(comment) || /\p{Cc}/u.test(comment) ? undefined : comment
}

const textOf = (line = ''): string => /^\s*#+\s*(.*?)[\s#]*$/.exec(line)?.[1] ?? ''

function isSwitchedOff(comment: string): boolean {
  if (variableOf(comment) !== null) return true
  if (!/^[-\d*@~]/.test(comment)) return false
  try {
    return entryOf(comment, 'user').times.length > 0
  } catch {
    return false
  }
}
