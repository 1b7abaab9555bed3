import { maxClauses, maxValuesInClause } from '../constraint/clause.js'

const days = 86_400_000

/** What a definition may not exceed; beyond each of them is a ValidationError. */
export const limits = Object.freeze({
  windowMs: 366 * days,
  deadlineMs: 366 * days,
  sigmaMs: 366 * days,
  /** UTF-8 bytes. */
  identityBytes: 1024,
  saltBytes: 1024,
  /** `only` and `avoid` together. */
  clauses: maxClauses,
  valuesInClause: maxValuesInClause,
  shape: 1000,
  lambda: 1000,
})
