import { InvalidCronExpressionError, quote } from '../errors/index.js'
import { Cron } from './cron.js'
import { DayRule } from './day-rule.js'
import { type Dialect, type DialectRules, dialectRules } from './dialect.js'
import {
  dayField,
  type Field,
  hourField,
  minuteField,
  monthField,
  secondField,
  weekdayField,
} from './field.js'
import { FieldParser, type FieldSet } from './field-parser.js'
import { Sixty } from './sixty.js'
import { TimeOfDay } from './time-of-day.js'

const longestExpression = 1024
const space = 32
const tab = 9
const at = 64

const macros: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
])

const onSecondZero = new Sixty(1, 0)

/** Compiles a cron expression; every problem is an InvalidCronExpressionError that names its field. */
export function parseCron(text: string, dialect: Dialect = 'standard'): Cron {
  const rules = dialectRules(dialect)
  if (typeof text !== 'string') {
    throw new InvalidCronExpressionError(quote(text), 'expression', 'must be text', quote(text), 0)
  }
  if (text.length > longestExpression) {
    const reason = `must be at most ${longestExpression} characters, got ${text.length}`
    throw new InvalidCronExpressionError(text.slice(0, 80), 'expression', reason, '', 0)
  }
  const expanded = expandMacro(text, rules)
  const bounds = splitFields(expanded)
  const count = bounds.length / 2
  const hasSeconds = count === 6 && rules.seconds
  if (count !== 5 && !hasSeconds) throw wrongCount(text, bounds, rules)

  let next = 0
  const read = (field: Field): FieldSet =>
    new FieldParser(expanded, bounds[next++]!, bounds[next++]!, field, rules).parse()
  const seconds = hasSeconds ? sixty(read(secondField)) : onSecondZero
  const minutes = sixty(read(minuteField))
  const hours = read(hourField)
  const days = read(dayField)
  const months = read(monthField)
  const weekdays = read(weekdayField)
  const dayRule = new DayRule({
    months: months.low,
    days: days.low,
    dayRestricted: days.restricted,
    weekdays: weekdays.low,
    weekdayRestricted: weekdays.restricted,
    monthDays: [days.monthDays, weekdays.monthDays].filter((extra) => extra !== null),
  })
  return new Cron(text, dialect, hasSeconds, dayRule, new TimeOfDay(hours.low, minutes, seconds))
}

const sixty = (set: FieldSet): Sixty => new Sixty(set.low, set.high)

function expandMacro(text: string, rules: DialectRules): string {
  const start = skipBlanks(text, 0)
  if (text.charCodeAt(start) !== at) return text
  const macro = text.slice(start).replace(/[ \t]+$/, '')
  // Lower-casing turns some letters outside of ASCII into ASCII ones, so those are kept out.
  const isName = /^@[a-z]+$/i.test(macro)
  const expansion = isName ? macros.get(macro.toLowerCase()) : undefined
  if (expansion !== undefined && rules.macros) return expansion
  const known = [...macros.keys()].join(' ')
  const instead = expansion === undefined ? '' : `: write ${expansion} instead`
  const reason = rules.macros
    ? `is the unknown macro "${macro}" (known are ${known})`
    : `is the macro "${macro}", which this dialect does not allow${instead}`
  throw new InvalidCronExpressionError(text, 'expression', reason, macro, start)
}

/** Start and end of each field, separated by spaces and tabs and nothing else. */
function splitFields(text: string): number[] {
  const bounds: number[] = []
  for (let start = skipBlanks(text, 0); start < text.length; ) {
    let end = start
    while (end < text.length && !isBlank(text.charCodeAt(end))) end++
    bounds.push(start, end)
    start = skipBlanks(text, end)
  }
  return bounds
}

function skipBlanks(text: string, from: number): number {
  while (from < text.length && isBlank(text.charCodeAt(from))) from++
  return from
}

const isBlank = (code: number): boolean => code === space || code === tab

function wrongCount(
  text: string,
  bounds: readonly number[],
  rules: DialectRules,
): InvalidCronExpressionError {
  const count = bounds.length / 2
  const most = rules.seconds ? 6 : 5
  const expected = rules.seconds ? '5 or 6 fields' : 'exactly 5 fields'
  const reason =
    count === 0 ? `is empty, expected ${expected}` : `must have ${expected}, got ${count}`
  // The first field too many, or the end of the text, where one is missing.
  const position = count > most ? bounds[most * 2]! : text.length
  return new InvalidCronExpressionError(text, 'expression', reason, text.slice(position), position)
}
