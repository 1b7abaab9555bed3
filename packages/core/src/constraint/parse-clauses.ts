import { ConfigurationError, KronError, suggestion, ValidationError } from '../errors/index.js'
import { type Clause, maxClauses, maxValuesInClause } from './clause.js'
import { dateClause, datesClause } from './date-clause.js'
import { numberClause, numberKinds } from './number-clause.js'
import { type ClauseSource, Piece } from './piece.js'
import { timeClause } from './time-clause.js'

const readers: ReadonlyMap<string, (values: readonly Piece[]) => Clause> = new Map([
  ['hours', (values) => numberClause(numberKinds.hours, values)],
  ['dow', (values) => numberClause(numberKinds.dow, values)],
  ['dom', (values) => numberClause(numberKinds.dom, values)],
  ['months', (values) => numberClause(numberKinds.months, values)],
  ['between', timeClause],
  ['date', dateClause],
  ['dates', datesClause],
])
const kindNames = [...readers.keys()]
const allowedClause = `one of ${kindNames.map((name) => `${name}=`).join(', ')}`

/** The canonical clauses of some texts, in their order; a text may hold several, with `;`. */
export function parseClauses(texts: unknown, field: string): string[] {
  return readClauses(texts, field).map((clause) => clause.text)
}

export function readClauses(texts: unknown, field: string): Clause[] {
  const clauses: Clause[] = []
  for (const source of sourcesOf(texts, field)) {
    for (const piece of new Piece(source).split(';')) {
      if (clauses.length === maxClauses) throw tooManyClauses(field)
      clauses.push(readClause(piece))
    }
  }
  return clauses
}

export function tooManyClauses(field: string): ValidationError {
  const allowed = `at most ${maxClauses} clauses in all`
  return new ValidationError('KRON_CONSTRAINT_LIMIT', `${field} must have ${allowed}`, {
    field,
    allowed,
  })
}

function readClause(piece: Piece): Clause {
  if (piece.text === '') throw piece.malformed('an empty clause', allowedClause)
  const equals = piece.text.indexOf('=')
  if (equals < 0) throw piece.malformed('a clause without =', allowedClause)
  const kind = piece.part(0, equals).trimmed()
  const read = readers.get(kind.text.toLowerCase())
  if (read === undefined) {
    const hint = suggestion(kind.text, kindNames)
    throw kind.malformed(`unknown kind of clause${hint}`, allowedClause)
  }
  const list = piece.part(equals + 1, piece.text.length)
  const values = list.split(',')
  if (values.length > maxValuesInClause) throw tooManyValues(piece)
  return read(values)
}

function tooManyValues(piece: Piece): ValidationError {
  const { field, text } = piece.source
  const allowed = `at most ${maxValuesInClause} values in one clause`
  return new ValidationError('KRON_CONSTRAINT_LIMIT', `${field} must have ${allowed}`, {
    field,
    allowed,
    position: piece.start,
    length: piece.end - piece.start,
    text,
  })
}

function sourcesOf(texts: unknown, field: string): ClauseSource[] {
  if (typeof texts === 'string') return [{ text: texts, field }]
  try {
    if (!Array.isArray(texts)) throw notAList(field)
    const length = texts.length
    if (length > maxClauses) throw tooManyClauses(field)
    return Array.from({ length }, (_, index) => sourceOf(texts[index], `${field}[${index}]`))
  } catch (error) {
    // Proxies and getters run code of the caller: here, and nowhere later.
    throw error instanceof KronError ? error : notAList(field, error)
  }
}

function sourceOf(text: unknown, field: string): ClauseSource {
  if (typeof text === 'string') return { text, field }
  const allowed = 'a clause as text such as hours=8-18'
  const shown = text === null ? 'null' : `a value of type ${typeof text}`
  throw new ValidationError(
    'KRON_CONSTRAINT_INVALID',
    `${field} must be ${allowed}, got ${shown}`,
    { field, value: shown, allowed },
  )
}

function notAList(field: string, cause?: unknown): ConfigurationError {
  const allowed = 'a list of clauses such as ["hours=8-18", "dow=MON-FRI"]'
  return new ConfigurationError(
    'KRON_FIELD_INVALID',
    `${field} must be ${allowed}`,
    { field, allowed },
    { cause },
  )
}
