import { limits } from '../definition/index.js'
import { meantDuration } from '../duration/duration-errors.js'
import { ConfigurationError, nearest, suggestion } from '../errors/index.js'
import type { Scanner, Span, Value } from './scanner.js'

export type ModifierName = 'tz' | 'win' | 'dist' | 'seed' | 'policy' | 'only' | 'avoid'

interface Grammar {
  /** The names of the values that are written without one, in their order. */
  readonly positional: readonly string[]
  readonly required: readonly string[]
  readonly example: string
}

const grammars: ReadonlyMap<ModifierName, Grammar> = new Map([
  ['tz', { positional: ['zone'], required: ['zone'], example: '@tz(Europe/Paris)' }],
  [
    'win',
    {
      positional: ['mode', 'duration'],
      required: ['mode', 'duration'],
      example: '@win(after,3h)',
    },
  ],
  ['dist', { positional: ['name'], required: ['name'], example: '@dist(skewEarly,shape=2)' }],
  ['seed', { positional: ['strategy'], required: [], example: '@seed(daily,salt=a)' }],
  ['policy', { positional: [], required: [], example: '@policy(concurrency=forbid,deadline=5m)' }],
  ['only', { positional: [], required: [], example: '@only(hours=8-18;dow=MON-FRI)' }],
  ['avoid', { positional: [], required: [], example: '@avoid(dates=2026-12-24..2027-01-02)' }],
])

export const modifierNames: readonly ModifierName[] = [...grammars.keys()]

export interface Argument {
  readonly key: Span
  readonly value: Value
}

/** `@name(...)` taken apart: named values of most modifiers, clauses of `@only` and `@avoid`. */
export interface Modifier extends Span {
  readonly name: ModifierName
  readonly values: ReadonlyMap<string, Argument>
  readonly clauses: readonly Value[]
}

/** Matches where a modifier begins; what stands before the first one is the cron expression. */
export const modifierStart = /@([A-Za-z][\w-]*)[ \t\r\n]*\(/

const opening = new RegExp(modifierStart, 'y')
const bareValue = /[^\s,()"]*/y
const bareClause = /[^;()"]*/y
const key = /([A-Za-z][\w-]*)[ \t\r\n]*=/y

export function scanModifier(scanner: Scanner): Modifier {
  const start = scanner.position
  const match = scanner.match(opening)
  if (match === null) throw notAModifier(scanner)
  const name = nameOf(match[1]!, scanner, start)
  const grammar = grammars.get(name)!
  scanner.field = `@${name}`
  scanner.skipBlanks()
  if (scanner.accept(')')) {
    throw scanner.fail('nothing in parentheses', grammar.example, start, scanner.position - start)
  }
  const takesClauses = name === 'only' || name === 'avoid'
  const clauses = takesClauses ? scanClauses(scanner, grammar) : []
  const values: ReadonlyMap<string, Argument> = takesClauses
    ? new Map()
    : scanValues(scanner, grammar)
  requireValues(scanner, grammar, values)
  return { name, start, end: scanner.position, values, clauses }
}

function scanClauses(scanner: Scanner, grammar: Grammar): Value[] {
  const clauses: Value[] = []
  let clause: Value
  do {
    clause = scanner.value(bareClause)
    // One too many is enough for the error.
    if (clauses.length <= limits.clauses) clauses.push(clause)
  } while (goesOn(scanner, ';', grammar, clause))
  return clauses
}

function scanValues(scanner: Scanner, grammar: Grammar): Map<string, Argument> {
  const values = new Map<string, Argument>()
  let unnamed = 0
  let value: Value
  do {
    scanner.skipBlanks()
    const start = scanner.position
    const named = scanner.match(key)?.[1]
    const keyEnd = start + (named?.length ?? 0)
    value = scanner.value(bareValue)
    const name = named ?? grammar.positional[unnamed++]
    if (named === undefined && value.start === value.end) {
      throw scanner.fail('a value is missing', grammar.example)
    }
    if (name === undefined) {
      const length = value.end - value.start
      throw scanner.fail('one value too many', grammar.example, value.start, length)
    }
    if (values.has(name)) {
      const once = `${name} at most once`
      throw scanner.fail(`${name} a second time`, once, start, Math.max(keyEnd, value.end) - start)
    }
    values.set(name, { key: named === undefined ? value : { start, end: keyEnd }, value })
  } while (goesOn(scanner, ',', grammar, value))
  return values
}

/** Passes a separator and says yes, or the closing parenthesis and says no. */
function goesOn(scanner: Scanner, separator: string, grammar: Grammar, before: Value): boolean {
  scanner.skipBlanks()
  if (scanner.accept(separator)) return true
  if (scanner.accept(')')) return false
  const { start } = before
  const whole = /^[^,;()"]*/.exec(scanner.text.slice(start))![0].trimEnd()
  const meant = /\s/.test(whole) ? meantDuration(whole) : null
  if (meant !== null) {
    throw scanner.fail('a duration has no white space', meant, start, whole.length)
  }
  const reason = scanner.atEnd
    ? 'the parenthesis is not closed'
    : 'unexpected text (a value with white space goes in double quotes)'
  throw scanner.fail(reason, `${separator} or ) as in ${grammar.example}`)
}

function requireValues(
  scanner: Scanner,
  grammar: Grammar,
  values: ReadonlyMap<string, Argument>,
): void {
  const missing = grammar.required.find((name) => !values.has(name))
  if (missing === undefined) return
  const field = `${scanner.field}.${missing}`
  const position = scanner.position - 1
  throw new ConfigurationError(
    'KRON_FIELD_MISSING',
    `${field} is required and missing, expected ${grammar.example}`,
    { field, allowed: grammar.example, position, length: 1, text: scanner.text },
  )
}

function nameOf(typed: string, scanner: Scanner, position: number): ModifierName {
  const known = modifierNames.find((name) => name === typed)
  if (known !== undefined) return known
  const field = `@${typed}`
  const names = modifierNames.map((name) => `@${name}`)
  const allowed = names.join(', ')
  throw new ConfigurationError(
    'KRON_FIELD_UNKNOWN',
    `unknown modifier ${field}, known are ${allowed}${suggestion(field, names)}`,
    {
      field,
      value: field,
      allowed,
      nearest: nearest(field, names),
      position,
      length: field.length,
      text: scanner.text,
    },
  )
}

function notAModifier(scanner: Scanner): ConfigurationError {
  const word = /[^\s(]*/y
  word.lastIndex = scanner.position
  const length = Math.max(1, word.exec(scanner.text)![0].length)
  scanner.field = 'schedule'
  return scanner.fail(
    'not a modifier',
    'a modifier such as @win(after,3h)',
    scanner.position,
    length,
  )
}
