import { type ConstraintSpec, maxClauses } from './constraint-spec.js'
import { Constraints } from './constraints.js'
import { readClauses, tooManyClauses } from './parse-clauses.js'

/** The constraints in the form that is asked for every candidate; null when there are none. */
export function compileConstraints(spec: ConstraintSpec): Constraints | null {
  const only = readClauses(spec.only, 'constraints.only')
  const avoid = readClauses(spec.avoid, 'constraints.avoid')
  if (only.length + avoid.length > maxClauses) throw tooManyClauses('constraints')
  return only.length + avoid.length === 0 ? null : new Constraints(only, avoid)
}
