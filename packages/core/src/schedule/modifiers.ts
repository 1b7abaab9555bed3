import { KronError } from '../errors/index.js'
import { type Argument, type Modifier, type ModifierName, scanModifier } from './modifier.js'
import type { Scanner, Span } from './scanner.js'

/** What was written in one modifier, by name. */
export type Values = Readonly<Record<string, unknown>>

/** All modifiers of a text, each at most once. */
export class Modifiers {
  readonly #text: string
  readonly #found = new Map<ModifierName, Modifier>()

  /** Reads modifiers up to the end of the text. */
  constructor(scanner: Scanner) {
    this.#text = scanner.text
    for (scanner.skipBlanks(); !scanner.atEnd; scanner.skipBlanks()) {
      const modifier = scanModifier(scanner)
      const { name, start, end } = modifier
      if (this.#found.has(name)) {
        throw scanner.fail('a second time', `@${name} at most once`, start, end - start)
      }
      this.#found.set(name, modifier)
    }
  }

  /** What `resolve` makes of the values of a modifier, or of none when it is not there. */
  resolved<T>(name: ModifierName, resolve: (values: Values | undefined) => T): T {
    const modifier = this.#found.get(name)
    if (modifier === undefined) return resolve(undefined)
    const values = [...modifier.values].map(([key, { value }]) => [key, value.text])
    return this.#located([modifier], () => resolve(Object.fromEntries(values)))
  }

  /** The same for the clauses of `@only` and `@avoid` together. */
  resolvedClauses<T>(resolve: (clauses: { only: string[]; avoid: string[] }) => T): T {
    const modifiers = [this.#found.get('only'), this.#found.get('avoid')]
    const [only, avoid] = modifiers.map((found) => found?.clauses.map(({ text }) => text) ?? [])
    const present = modifiers.filter((found) => found !== undefined)
    return this.#located(present, () => resolve({ only: only!, avoid: avoid! }))
  }

  #located<T>(modifiers: readonly Modifier[], check: () => T): T {
    const whole: Span = modifiers.at(-1) ?? { start: 0, end: this.#text.length }
    return located(this.#text, placesOf(modifiers), whole, check)
  }
}

/** Where the errors of the definition point: `@win.mode`, `@only[0]`. */
function placesOf(modifiers: readonly Modifier[]): Places {
  const places = new Map<string, Argument>()
  for (const { name, values, clauses } of modifiers) {
    for (const [key, argument] of values) places.set(`@${name}.${key}`, argument)
    clauses.forEach((clause, index) => {
      places.set(`@${name}[${index}]`, { key: clause, value: clause })
    })
  }
  return places
}

/** The arguments of a text by the field that names them in errors, such as `@dist.shape`. */
type Places = ReadonlyMap<string, Argument>

/**
 * Runs a check that knows fields but not the text they came from, and makes its errors point into
 * the text: at the key that is unknown, at the character of the value, or at the whole modifier.
 */
function located<T>(text: string, places: Places, whole: Span, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    const argument = places.get(error.details.field)
    const span = argument === undefined ? whole : spanOf(error, argument)
    throw withDetails(error, { ...placeOf(span), text })
  }
}

const aboutTheKey: readonly string[] = ['KRON_FIELD_UNKNOWN', 'KRON_PARAMETER_UNKNOWN']

function spanOf(error: KronError, { key, value }: Argument): Span {
  if (aboutTheKey.includes(error.code)) return key
  const { position, length } = error.details
  if (position === undefined) return value
  const end = position + (typeof length === 'number' ? length : 1)
  return { start: value.originOf(position), end: value.originOf(end) }
}

function placeOf({ start, end }: Span): { position: number; length: number } {
  return { position: start, length: Math.max(1, end - start) }
}

/** The same error, of the same class: constructors differ, so its details are replaced in place. */
export function withDetails<E extends KronError>(error: E, more: object): E {
  const details = { ...error.details, ...more }
  return Object.defineProperty(error, 'details', { value: details })
}
