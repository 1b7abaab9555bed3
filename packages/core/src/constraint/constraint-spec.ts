/** Canonical clauses, one clause a string, as `parseClauses` gives them. */
export interface ConstraintSpec {
  readonly only: readonly string[]
  readonly avoid: readonly string[]
}

/** Clauses of one definition, `only` and `avoid` together. */
export const maxClauses = 64

/** Values in the list of one clause: a year of single dates. */
export const maxValuesInClause = 366
