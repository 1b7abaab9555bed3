import { modifierStart } from './modifier.js'
import { isBlank, notText, withoutBlanks } from './scanner.js'

export interface SplitSchedule {
  /** The cron expression and its modifiers, from the start of the line. */
  readonly schedule: string
  /** The fields that follow, or nothing. */
  readonly rest: string
  /** The index of `rest` in the line. */
  readonly restOffset: number
}

const field = /[A-Za-z_][\w-]*=/y
const modifier = new RegExp(modifierStart, 'y')

/**
 * Splits a line into a schedule and the `name=value` fields after it, which begin at the first
 * word with an equals sign outside of a modifier. It judges nothing: a modifier that is never
 * closed takes the whole line, and `parseSchedule` then says what is wrong with it.
 */
export function splitSchedule(line: string): SplitSchedule {
  if (typeof line !== 'string') throw notText(line)
  const restOffset = startOfFields(line)
  const schedule = line.slice(0, withoutBlanks(line, restOffset).end)
  return { schedule, rest: line.slice(restOffset), restOffset }
}

function startOfFields(line: string): number {
  let position = 0
  let startsWord = true
  while (position < line.length) {
    if (startsWord && matchesAt(field, line, position) > 0) return position
    const opened = matchesAt(modifier, line, position)
    if (opened > 0) {
      position = endOfModifier(line, position + opened)
      startsWord = true
    } else {
      startsWord = isBlank(line[position])
      position++
    }
  }
  return position
}

/** The length of what a sticky pattern matches at a position. */
function matchesAt(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0].length ?? 0
}

/** Past the closing parenthesis, which may also stand inside of quotes; or the end of the line. */
function endOfModifier(line: string, from: number): number {
  let quoted = false
  for (let position = from; position < line.length; position++) {
    const character = line[position]
    if (character === '"') quoted = !quoted
    else if (quoted && character === '\\') position++
    else if (!quoted && character === ')') return position + 1
  }
  return line.length
}
