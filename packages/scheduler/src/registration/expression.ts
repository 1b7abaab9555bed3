import { InvalidCronExpressionError as CoreError, type Cron, parseCron } from '@kron/core'
import { FieldParseError, InvalidCronExpressionError } from '../errors/index.js'

/** Reads a POSIX expression; throws the InvalidCronExpressionError of the specification. */
export function parseExpression(text: string): Cron {
  try {
    return parseCron(text, 'posix')
  } catch (error) {
    if (!(error instanceof CoreError)) throw error
    const { field, reason } = error
    // With the whole text: in its own message the engine shortens a very long one.
    const invalid = { expression: text, field, reason }
    if (field === 'expression') throw new InvalidCronExpressionError(invalid)
    const cause = new FieldParseError(fieldOf(text, field), field, reason)
    throw new InvalidCronExpressionError(invalid, { cause })
  }
}

const fieldNames = ['minute', 'hour', 'day', 'month', 'weekday']

function fieldOf(text: string, name: string): string {
  const fields = text.split(/[ \t]+/).filter((field) => field !== '')
  return fields[fieldNames.indexOf(name)] ?? text
}
