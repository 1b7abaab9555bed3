import { complement, intersection, merged, type Ranges } from './ranges.js'

/** What a clause looks at; `date=` and `dates=` look at the same. */
export type ClauseKind = 'hours' | 'dow' | 'dom' | 'months' | 'between' | 'date'

export interface Clause {
  readonly kind: ClauseKind
  /** Hours, ISO weekdays (1 = Monday), days of month, months, minutes of day, days since 1970. */
  readonly ranges: Ranges
  /** The one canonical text of this meaning. */
  readonly text: string
}

export function union(clauses: readonly Clause[]): Ranges {
  return clauses.length === 1
    ? clauses[0]!.ranges
    : merged(clauses.flatMap((clause) => clause.ranges))
}

/** The values of one kind, from `min` to `max`, that pass every clause of that kind. */
export function allowedValues(
  kind: ClauseKind,
  only: readonly Clause[],
  avoid: readonly Clause[],
  min: number,
  max: number,
): Ranges {
  const ofKind = (clause: Clause) => clause.kind === kind
  const wanted = only.filter(ofKind)
  const unwanted = avoid.filter(ofKind)
  if (unwanted.length === 0) return wanted.length === 0 ? [min, max] : union(wanted)
  const rest = complement(union(unwanted), min, max)
  return wanted.length === 0 ? rest : intersection(union(wanted), rest)
}

/** Canonical clauses, one clause a string, as `parseClauses` gives them. */
export interface ConstraintSpec {
  readonly only: readonly string[]
  readonly avoid: readonly string[]
}

/** Clauses of one definition, `only` and `avoid` together. */
export const maxClauses = 64

/** Values in the list of one clause: a year of single dates. */
export const maxValuesInClause = 366
