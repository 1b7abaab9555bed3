export { compileConstraints } from './compile-constraints.js'
export { type ConstraintSpec, maxClauses, maxValuesInClause } from './constraint-spec.js'
export { Constraints, type ZoneOffsets } from './constraints.js'
export { parseClauses } from './parse-clauses.js'
